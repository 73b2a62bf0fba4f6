import { GatewayError, NO_USAGE, type Price, type Usage } from '@mg/contract';
import { findModel } from '../../call/find-model.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Hold } from '../../call/hold.js';
import { recordCall } from '../../call/record-call.js';
import { releaseHold, settle } from '../../call/settle.js';
import { NO_PERMIT, type Permit } from '../../limits/permit.js';
import { boundTranscript, SessionOperation } from './session-operation.js';
import { openPart, reservePart, type SessionFacts, takeRates } from './session-part.js';

/** Pieces of speech whose transcripts may be awaited; the upstream has given up those before. */
const MOST_AWAITED = 8;
const HEARD_TOKENS_PER_SECOND = 10;
const BYTES_PER_TOKEN = 3;
/** A second of speech is no more tokens as text than as audio. */
const TOKENS_WITH_TRANSCRIPT = 2;

/** The model that transcribes: its slug, and what the client calls it. */
interface Transcriber {
  readonly model: string;
  readonly askedModel: string;
  readonly operation: SessionOperation;
}

interface AwaitedTranscript {
  readonly hold: Hold;
  readonly by: Transcriber;
  readonly permit: Permit;
  /** Of audio that it is made of, about. */
  seconds: number;
  /** It is written while its audio is still coming in. */
  isOpen: boolean;
}

/**
 * What the transcripts of what a session hears cost. Another model makes them, at a price of its own: as long as it is wanted, a hold
 * is open for the next piece of speech, and each transcript is charged by what the upstream says that it used.
 */
export class SessionTranscripts {
  readonly #facts: SessionFacts;
  readonly #gateway: GatewayContext;
  /** The last that was wanted: what it has begun comes in after it is wanted no more. */
  #by: Transcriber | undefined;
  #isWanted = false;
  #isClosed = false;
  #ahead: Hold | undefined;
  readonly #awaited = new Map<string, AwaitedTranscript>();
  /** Of audio that is no item yet. */
  #bytes = 0;
  /** Bytes of a second of what is heard. */
  heardBytes: number;
  /** Whether transcripts are all that there is, and so count among the rates as responses do. */
  readonly #areCounted: boolean;
  /** For audio that the client has committed and the upstream has not heard yet. */
  readonly #permits: Permit[] = [];

  /** @param first what was held for the first transcript, of a session that only transcribes. */
  constructor(facts: SessionFacts, first: Hold | undefined, gateway: GatewayContext) {
    this.#facts = facts;
    this.#gateway = gateway;
    this.heardBytes = facts.audio.heardBytes;
    this.#areCounted = first !== undefined;
    if (!first) return;
    const { operation, session } = facts;
    this.#by = { model: operation.model, askedModel: session.askedModel ?? operation.model, operation };
    this.#isWanted = true;
    this.#ahead = first;
  }

  /**
   * The upstream's own name of a model that is to transcribe: one that the key may use, and that the session's channel serves.
   *
   * @throws GatewayError `invalid_request` naming the field.
   */
  nameUpstream(name: string, param: string, channelModels: ReadonlyMap<string, string>): string {
    const slug = this.#find(name, param);
    const own = channelModels.get(slug);
    if (own !== undefined) return own;
    const problem = `${param}: the channel of the session does not serve the model "${slug}".`;
    throw new GatewayError('invalid_request', problem, { param });
  }

  /** Holds for the first transcript by this model; gives back what is held, for `null`. @throws GatewayError as `reservePart`. */
  async want(name: string | null): Promise<void> {
    if (name === null) {
      this.#isWanted = false;
      return this.#giveBack();
    }
    const model = this.#find(name, 'transcription');
    if (this.#isWanted && this.#ahead && this.#by?.model === model) return;
    const operation = new SessionOperation('transcription', model, boundTranscript, this.#gateway);
    const hold = await this.#reserve(operation);
    this.#giveBack();
    this.#by = { model, askedModel: name, operation };
    this.#isWanted = true;
    this.#ahead = hold;
  }

  /** The client has sent audio. */
  noteAudio(bytes: number): void {
    this.#bytes += bytes;
  }

  /** The client commits audio. @throws GatewayError `rate_limited`, also where too many transcripts are awaited. */
  async ask(): Promise<void> {
    if (!this.#areCounted || !this.#isWanted || this.#open) return;
    if (this.#awaited.size + this.#permits.length < MOST_AWAITED) {
      this.#permits.push(await this.#takePermit());
      return;
    }
    const problem = `More than ${MOST_AWAITED} transcripts are awaited.`;
    throw new GatewayError('rate_limited', problem, { retryAfter: 1 });
  }

  /** The upstream has refused something: maybe what was committed. */
  refuse(): void {
    this.#permits.shift()?.end(0);
  }

  /** A piece of speech has come to its end. @throws GatewayError as `reservePart`. */
  async begin(itemId: string): Promise<void> {
    const seconds = this.#takeSeconds();
    const begun = this.#awaited.get(itemId);
    if (!begun) return this.#await(itemId, seconds, false);
    begun.seconds += seconds;
    begun.isOpen = false;
  }

  /** A piece of a transcript has come: models that stream write before the speech has come to its end. @throws GatewayError as `reservePart`. */
  async note(itemId: string): Promise<void> {
    if (!this.#awaited.has(itemId)) await this.#await(itemId, this.#takeSeconds(), true);
  }

  #takeSeconds(): number {
    const seconds = Math.ceil(this.#bytes / this.heardBytes);
    this.#bytes = 0;
    return seconds;
  }

  async #await(itemId: string, seconds: number, isOpen: boolean): Promise<void> {
    if (!this.#isWanted || !this.#by) return;
    const by = this.#by;
    const permit = this.#permits.shift() ?? (this.#areCounted ? await this.#takePermit(seconds) : NO_PERMIT);
    const ahead = this.#ahead;
    this.#ahead = undefined;
    const hold = ahead ?? (await this.#reserve(by.operation));
    this.#awaited.set(itemId, { hold, by, permit, seconds, isOpen });
    const [oldest] = this.#awaited.keys();
    if (this.#awaited.size > MOST_AWAITED && oldest !== undefined) this.#forget(oldest);
    await this.#keepAhead();
  }

  /**
   * A transcript has come, or will not come.
   *
   * @param transcript `undefined` where it failed: it then costs nothing.
   * @param reported what the upstream says that it used; estimated otherwise.
   */
  async end(itemId: string, transcript: string | undefined, reported: Usage | undefined): Promise<void> {
    if (transcript === undefined) return this.#forget(itemId);
    const awaited = this.#awaited.get(itemId) ?? (await this.#holdLate());
    if (!awaited) return;
    this.#awaited.delete(itemId);
    const { hold, by, permit, seconds } = awaited;
    const record = openPart(this.#facts, hold, by, 'a transcript');
    const told = reported && isInUnitOf(hold.price.price, reported) ? reported : undefined;
    const usage = told ?? estimate(reported?.seconds || seconds, transcript);
    try {
      await settle(record, hold, { usage, estimated: told === undefined }, this.#gateway);
      record.end('completed');
    } finally {
      this.#gateway.heldCalls.end(hold.requestId);
      permit.end(record.usage.inputTokens + record.usage.outputTokens);
      recordCall(record, this.#gateway);
    }
  }

  /** The one whose audio is still coming in. */
  get #open(): AwaitedTranscript | undefined {
    return [...this.#awaited.values()].findLast(({ isOpen }) => isOpen);
  }

  /** Whether the upstream is at work on any. */
  get isAwaiting(): boolean {
    return this.#awaited.size > 0;
  }

  /**
   * Gives back what is held ahead, and charges for transcripts that have not come by what they are made of.
   *
   * @param isLost whether the upstream was lost with them: they cost nothing.
   */
  async close(isLost: boolean): Promise<void> {
    this.#isClosed = true;
    this.#isWanted = false;
    this.#giveBack();
    for (const permit of this.#permits.splice(0)) permit.end(0);
    const open = this.#open;
    if (open) open.seconds += this.#takeSeconds();
    const itemIds = [...this.#awaited.keys()];
    await Promise.all(itemIds.map((itemId) => this.end(itemId, isLost ? undefined : '', undefined)));
  }

  /** Of speech that the upstream did not say it had heard. */
  async #holdLate(): Promise<AwaitedTranscript | undefined> {
    if (!this.#by) return undefined;
    return {
      hold: await this.#reserve(this.#by.operation),
      by: this.#by,
      permit: NO_PERMIT,
      seconds: this.#takeSeconds(),
      isOpen: false,
    };
  }

  #takePermit(seconds = this.#bytes / this.heardBytes): Promise<Permit> {
    const heard = Math.ceil(seconds * HEARD_TOKENS_PER_SECOND);
    return takeRates(this.#facts, heard * TOKENS_WITH_TRANSCRIPT, this.#gateway);
  }

  async #reserve(operation: SessionOperation): Promise<Hold> {
    const hold = await reservePart(this.#facts, operation, this.#gateway);
    if (!this.#isClosed) return hold;
    releaseHold(hold.requestId, this.#gateway);
    throw new GatewayError('service_unavailable', 'The session has ended.');
  }

  async #keepAhead(): Promise<void> {
    if (this.#ahead || !this.#by) return;
    const hold = await this.#reserve(this.#by.operation);
    if (this.#isWanted && !this.#ahead) this.#ahead = hold;
    else releaseHold(hold.requestId, this.#gateway);
  }

  #giveBack(): void {
    if (this.#ahead) releaseHold(this.#ahead.requestId, this.#gateway);
    this.#ahead = undefined;
  }

  #forget(itemId: string): void {
    const awaited = this.#awaited.get(itemId);
    if (!awaited) return;
    releaseHold(awaited.hold.requestId, this.#gateway);
    awaited.permit.end(0);
    this.#awaited.delete(itemId);
  }

  /** The slug behind a name. @throws GatewayError `invalid_request` naming the field. */
  #find(name: string, param: string): string {
    try {
      return findModel(this.#gateway.catalog(), this.#facts.session.caller, name, 'transcription').slug;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      throw new GatewayError('invalid_request', `${param}: ${error.message}`, { param, reason: error.code });
    }
  }
}

/** Whether a usage says something in the unit that the price counts in, by minute or by token. */
function isInUnitOf({ per_minute: byMinute }: Price, { seconds, inputTokens, outputTokens }: Usage): boolean {
  const tokens = inputTokens + outputTokens;
  return byMinute === undefined ? tokens > 0 || seconds === 0 : seconds > 0 || tokens === 0;
}

function estimate(seconds: number, transcript: string): Usage {
  const audioInputTokens = seconds * HEARD_TOKENS_PER_SECOND;
  const outputTokens = Math.ceil(Buffer.byteLength(transcript) / BYTES_PER_TOKEN);
  return { ...NO_USAGE, seconds, inputTokens: audioInputTokens, audioInputTokens, outputTokens };
}
