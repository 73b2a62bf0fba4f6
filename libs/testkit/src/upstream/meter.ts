import type { IncomingHttpHeaders } from 'node:http';
import type { Billed } from './usage.js';

/** One request as the upstream saw it, and what it bills for it. Live: the figures grow while the answer is produced. */
export interface UpstreamCall extends Readonly<Billed> {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact bytes received. */
  readonly rawBody: Buffer;
  /** The parsed body, `undefined` where it is no JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Status answered, `undefined` while or if there was none. */
  readonly status: number | undefined;
  /** Text, reasoning and arguments produced so far, all choices together: what an estimate of the completion may count. */
  readonly producedText: string;
  /** The client closed before the end. */
  readonly aborted: boolean;
  /** The answer ended as the upstream meant it to. */
  readonly finished: boolean;
}

export type CallRecord = { -readonly [Key in keyof UpstreamCall]: UpstreamCall[Key] };

interface Waiter {
  readonly predicate: (call: UpstreamCall) => boolean;
  readonly resolve: (call: UpstreamCall) => void;
}

/** The upstream's own books: the truth that a test holds a bill against. */
export class Meter {
  private records: CallRecord[] = [];
  private waiters: Waiter[] = [];

  get calls(): readonly UpstreamCall[] {
    return this.records;
  }

  open(facts: Pick<CallRecord, 'method' | 'path' | 'headers' | 'rawBody' | 'body' | 'model'>): CallRecord {
    const record: CallRecord = {
      ...facts,
      id: `req_fake${String(this.records.length + 1).padStart(6, '0')}`,
      startedAt: Date.now(),
      status: undefined,
      promptTokens: 0,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      completionTokens: 0,
      reasoningTokens: 0,
      producedText: '',
      aborted: false,
      finished: false,
    };
    this.records.push(record);
    this.announce(record);
    return record;
  }

  /** Changes a record and tells everyone who waits for such a call. */
  update(record: CallRecord, change: Partial<CallRecord>): void {
    Object.assign(record, change);
    this.announce(record);
  }

  reset(): void {
    this.records = [];
  }

  /** The first call, past or to come, that the predicate accepts. @throws Error after the timeout, with what was there. */
  async waitFor(predicate: (call: UpstreamCall) => boolean, timeoutMs: number): Promise<UpstreamCall> {
    const present = this.records.find(predicate);
    if (present) return present;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        predicate,
        resolve: (call) => {
          clearTimeout(timer);
          resolve(call);
        },
      };
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((other) => other !== waiter);
        reject(new Error(`no such call within ${timeoutMs} ms; seen: ${this.describe()}`));
      }, timeoutMs);
      this.waiters.push(waiter);
    });
  }

  private announce(record: CallRecord): void {
    const [met, unmet] = partition(this.waiters, (waiter) => waiter.predicate(record));
    this.waiters = unmet;
    for (const waiter of met) waiter.resolve(record);
  }

  private describe(): string {
    const lines = this.records.map(
      ({ model, status, aborted, finished }) =>
        `${model} status=${status ?? 'none'} aborted=${aborted} finished=${finished}`,
    );
    return lines.join('; ') || 'nothing';
  }
}

function partition<Item>(items: readonly Item[], accepts: (item: Item) => boolean): [Item[], Item[]] {
  const taken: Item[] = [];
  const left: Item[] = [];
  for (const item of items) (accepts(item) ? taken : left).push(item);
  return [taken, left];
}
