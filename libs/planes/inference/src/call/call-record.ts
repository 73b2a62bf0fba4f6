import {
  type AttemptRow,
  type CallerToken,
  type NanoUsd,
  NO_USAGE,
  type RequestLogRow,
  type Usage,
} from '@mg/contract';

/** What is known of one call so far; the stages fill it in and the log row is read off it at the end. */
export class CallRecord {
  readonly createdAt = new Date();
  readonly attempts: AttemptRow[] = [];
  readonly #startedMs = performance.now();
  model = '';
  stream = false;
  channel: string | undefined;
  priceVersionId: string | undefined;
  usage: Usage = NO_USAGE;
  cost: NanoUsd = 0n;
  estimated = false;
  status = 0;
  errorCode: string | undefined;
  reason = 'refused';
  ttftMs: number | undefined;
  /** Gateways that the call came through before this one. */
  hops: string | undefined;

  constructor(
    /** The id that money and log know the call by; a call taken over after a crash keeps the first one's. */
    public requestId: string,
    readonly endpoint: string,
    readonly caller: CallerToken,
  ) {}

  /** Milliseconds since the call came in. */
  elapsedMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  toLogRow(): RequestLogRow {
    return {
      requestId: this.requestId,
      createdAt: this.createdAt,
      userId: this.caller.userId,
      tokenId: this.caller.id,
      tokenName: this.caller.name,
      walletId: this.caller.walletId,
      model: this.model.slice(0, 256),
      endpoint: this.endpoint,
      channel: this.channel,
      status: this.status,
      errorCode: this.errorCode,
      stream: this.stream,
      latencyMs: this.elapsedMs(),
      ttftMs: this.ttftMs,
      usage: this.usage,
      cost: this.cost,
      estimated: this.estimated,
      reason: this.reason,
      attempts: this.attempts,
      priceVersionId: this.priceVersionId,
    };
  }
}
