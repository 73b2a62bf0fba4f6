import { GatewayError, NO_USAGE, type Price, type Usage } from '@mg/contract';
import { findModel } from '../../call/find-model.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Hold } from '../../call/hold.js';
import { recordCall } from '../../call/record-call.js';
import { release, releaseHold, settle } from '../../call/settle.js';
import { NO_PERMIT, type Permit } from '../../limits/permit.js';
import { boundTranscript, LONGEST_SPEECH_SECONDS, SessionOperation } from './session-operation.js';
import { openPart, reservePart, type SessionFacts, takeRates } from './session-part.js';

/** Pieces of speech whose transcripts may be awaited; those before are charged by what was heard. */
const MOST_AWAITED = 8;
/** Of which it is remembered that they were charged before their transcripts came. */
const MOST_PAID = 256;
const HEARD_TOKENS_PER_SECOND = 10;
const BYTES_PER_TOKEN = 3;
/** A second of speech is no more tokens as text than as audio. */
const TOKENS_WITH_TRANSCRIPT = 2;
const FAILED = new GatewayError('upstream_error', 'The transcription failed.');

/** The model that transcribes: its slug, and what the client calls it. */
interface Transcriber {
  readonly model: string;
  readonly askedModel: string;
  /** The upstream's own name of it. */
  readonly upstreamModel: string;
  readonly operation: SessionOperation;
}

/** A change that the upstream has been asked for, and not said yet to have made; without `to` nothing is to be transcribed. */
interface Change {
  readonly to?: { readonly by: Transcriber; readonly hold: Hold };
}

/** Audio that the client has committed and the upstream has not heard yet. */
interface Committed {
  readonly permit: Permit;
  readonly seconds: number;
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
  readonly #channelModels: ReadonlyMap<string, string>;
  readonly #gateway: GatewayContext;
  /** At work, or the last that was: what it has begun comes in after it is wanted no more. */
  #by: Transcriber | undefined;
  #isOn = false;
  /** What the upstream has last said of it; `undefined` until it says something. */
  #told: string | null | undefined;
  #change: Change | undefined;
  /** All that were wanted, by the upstream's names. */
  readonly #known = new Map<string, Transcriber>();
  #isClosed = false;
  #ahead: Hold | undefined;
  readonly #awaited = new Map<string, AwaitedTranscript>();
  readonly #paid = new Set<string>();
  /** Of audio that is no item yet, nor committed. */
  #seconds = 0;
  /** Bytes of a second of what is heard. */
  heardBytes: number;
  /** Whether transcripts are all that there is, and so count among the rates as responses do. */
  readonly #areCounted: boolean;
  readonly #committed: Committed[] = [];

  /**
   * @param first what was held for the first transcript, of a session that only transcribes.
   * @param channelModels that the session's channel serves, and its own names of them.
   */
  constructor(
    facts: SessionFacts,
    first: Hold | undefined,
    channelModels: ReadonlyMap<string, string>,
    gateway: GatewayContext,
  ) {
    this.#facts = facts;
    this.#channelModels = channelModels;
    this.#gateway = gateway;
    this.heardBytes = facts.audio.heardBytes;
    this.#areCounted = first !== undefined;
    if (!first) return;
    const { operation, session } = facts;
    this.#adopt(this.#describe(operation, session.askedModel ?? operation.model), first);
  }

  /**
   * The upstream's own name of a model that is to transcribe: one that the key may use, and that the session's channel serves.
   *
   * @throws GatewayError `invalid_request` naming the field.
   */
  nameUpstream(name: string, param: string): string {
    const slug = this.#find(name, param);
    const own = this.#channelModels.get(slug);
    if (own !== undefined) return own;
    const problem = `${param}: the channel of the session does not serve the model "${slug}".`;
    throw new GatewayError('invalid_request', problem, { param });
  }

  /**
   * Another model is to transcribe, or none, for `null`: from when the upstream says so, since what was committed before is still
   * transcribed by the one before. Holds for its first transcript.
   *
   * @throws GatewayError as `reservePart`.
   */
  async want(name: string | null): Promise<void> {
    if (name === null) return this.#apply({});
    const model = this.#find(name, 'transcription');
    if (this.#isOn && !this.#change && this.#by?.model === model) return;
    const operation = new SessionOperation('transcription', model, boundTranscript, this.#gateway);
    const by = this.#describe(operation, name);
    this.#apply({ to: { by, hold: await this.#reserve(operation) } });
  }

  /** The upstream says by its own name which model transcribes now: `null` for none. @throws GatewayError as `reservePart`. */
  async noteTold(told: string | null | undefined): Promise<void> {
    if (told === undefined || told === this.#told) return;
    this.#told = told;
    if (told === null) return this.#stop();
    const wanted = this.#change?.to;
    const known = this.#known.get(told);
    if (wanted && (!known || known.upstreamModel === wanted.by.upstreamModel)) {
      this.#adopt(wanted.by, wanted.hold);
      this.#change = undefined;
    } else if (known && !(this.#isOn && this.#by?.upstreamModel === told)) {
      this.#adopt(known, await this.#reserve(known.operation));
    }
  }

  /** The client sends audio. @throws GatewayError `invalid_request` for more than is held for one transcript. */
  noteAudio(bytes: number): void {
    const seconds = this.#seconds + bytes / this.heardBytes;
    if (this.#isWanted && bytes > 0 && seconds + (this.#open?.seconds ?? 0) > LONGEST_SPEECH_SECONDS) {
      const problem = `audio: commit what there is, a piece of speech has at most ${LONGEST_SPEECH_SECONDS} seconds.`;
      throw new GatewayError('invalid_request', problem, { param: 'audio' });
    }
    this.#seconds = seconds;
  }

  /** The client commits audio. @throws GatewayError `rate_limited`, also where too many transcripts are awaited. */
  async ask(): Promise<void> {
    if (!this.#areCounted || !this.#isWanted || this.#open) return;
    if (this.#awaited.size + this.#committed.length < MOST_AWAITED) {
      const permit = await this.#takePermit(this.#change?.to?.by ?? this.#by, this.#seconds);
      this.#committed.push({ permit, seconds: this.#takeSeconds() });
      return;
    }
    const problem = `More than ${MOST_AWAITED} transcripts are awaited.`;
    throw new GatewayError('rate_limited', problem, { retryAfter: 1 });
  }

  /** The upstream has refused something: maybe what was committed. */
  refuse(): void {
    const committed = this.#committed.shift();
    committed?.permit.end(0);
    this.#seconds += committed?.seconds ?? 0;
  }

  /** A piece of speech has come to its end. @throws GatewayError as `reservePart`. */
  async begin(itemId: string): Promise<void> {
    const begun = this.#awaited.get(itemId);
    if (!begun) return this.#await(itemId, false);
    begun.seconds += this.#takeSeconds();
    begun.isOpen = false;
  }

  /** A piece of a transcript has come: models that stream write before the speech has come to its end. @throws GatewayError as `reservePart`. */
  async note(itemId: string): Promise<void> {
    if (!this.#awaited.has(itemId) && !this.#paid.has(itemId)) await this.#await(itemId, true);
  }

  #takeSeconds(): number {
    const seconds = Math.ceil(this.#seconds);
    this.#seconds = 0;
    return seconds;
  }

  async #await(itemId: string, isOpen: boolean): Promise<void> {
    const committed = this.#committed.shift();
    const seconds = committed?.seconds ?? this.#takeSeconds();
    if (!this.#isOn || !this.#by) return committed?.permit.end(0);
    const by = this.#by;
    const permit = committed?.permit ?? (this.#areCounted ? await this.#takePermit(by, seconds) : NO_PERMIT);
    const ahead = this.#ahead;
    this.#ahead = undefined;
    try {
      const hold = ahead ?? (await this.#reserve(by.operation));
      this.#awaited.set(itemId, { hold, by, permit, seconds, isOpen });
    } catch (error) {
      permit.end(0);
      throw error;
    }
    const [oldest] = this.#awaited.keys();
    if (this.#awaited.size > MOST_AWAITED && oldest !== undefined) await this.#chargeEarly(oldest);
    await this.#keepAhead();
  }

  /** The upstream may have given it up, or be slow. */
  async #chargeEarly(itemId: string): Promise<void> {
    await this.end(itemId, '', undefined);
    const [first] = this.#paid.add(itemId);
    if (this.#paid.size > MOST_PAID && first !== undefined) this.#paid.delete(first);
  }

  /**
   * A transcript has come, or will not come.
   *
   * @param transcript `undefined` where it failed: it then costs what is reported, or nothing.
   * @param reported what the upstream says that it used; estimated otherwise.
   */
  async end(itemId: string, transcript: string | undefined, reported: Usage | undefined): Promise<void> {
    if (this.#paid.delete(itemId)) return;
    if (transcript === undefined && !reported) return this.#lose(itemId);
    const awaited = this.#awaited.get(itemId) ?? (await this.#holdLate());
    if (!awaited) return;
    this.#awaited.delete(itemId);
    const { hold, by, permit, seconds } = awaited;
    const record = openPart(this.#facts, hold, by, 'a transcript');
    const told = reported && isInUnitOf(hold.price.price, reported) ? reported : undefined;
    const usage = told ?? estimate(reported?.seconds || seconds, transcript ?? '');
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
    return this.#awaited.size + this.#committed.length > 0;
  }

  /**
   * Gives back what is held ahead, and charges for transcripts that have not come by what they are made of.
   *
   * @param isLost whether the upstream was lost with them: they cost nothing.
   */
  async close(isLost: boolean): Promise<void> {
    this.#isClosed = true;
    this.#awaitCommitted(isLost);
    this.#stop();
    const open = this.#open;
    if (open) open.seconds += this.#takeSeconds();
    const itemIds = [...this.#awaited.keys()];
    await Promise.all(itemIds.map((itemId) => this.end(itemId, isLost ? undefined : '', undefined)));
  }

  /** What was committed to the end, and never said to be heard, becomes one transcript. */
  #awaitCommitted(isLost: boolean): void {
    const committed = this.#committed.splice(0);
    for (const { permit } of committed) permit.end(0);
    const seconds = committed.reduce((sum, one) => sum + one.seconds, 0);
    if (isLost || seconds === 0 || !this.#by || !this.#ahead) return;
    const hold = this.#ahead;
    this.#ahead = undefined;
    this.#awaited.set('', { hold, by: this.#by, permit: NO_PERMIT, seconds, isOpen: false });
  }

  /** Of speech that the upstream did not say it had heard. */
  async #holdLate(): Promise<AwaitedTranscript | undefined> {
    const by = this.#by ?? this.#change?.to?.by;
    if (!by) return undefined;
    const seconds = this.#takeSeconds();
    return { hold: await this.#reserve(by.operation), by, permit: NO_PERMIT, seconds, isOpen: false };
  }

  /** Whether what the client sends from now on is transcribed. */
  get #isWanted(): boolean {
    return this.#change ? this.#change.to !== undefined : this.#isOn;
  }

  #describe(operation: SessionOperation, askedModel: string): Transcriber {
    const { model } = operation;
    return { model, askedModel, upstreamModel: this.#channelModels.get(model) ?? model, operation };
  }

  /** At once where the upstream says nothing of it, or knows both by one name. */
  #apply(change: Change): void {
    this.#dropChange();
    const isSame = this.#isOn && change.to?.by.upstreamModel === this.#by?.upstreamModel;
    if (this.#told !== undefined && !isSame) {
      if (change.to) this.#known.set(change.to.by.upstreamModel, change.to.by);
      this.#change = change;
    } else if (change.to) {
      this.#adopt(change.to.by, change.to.hold);
    } else {
      this.#stop();
    }
  }

  #adopt(by: Transcriber, hold: Hold): void {
    this.#giveBack();
    this.#known.set(by.upstreamModel, by);
    this.#by = by;
    this.#isOn = true;
    this.#ahead = hold;
  }

  /** A change to another model may still be on its way, except at the end. */
  #stop(): void {
    this.#isOn = false;
    this.#giveBack();
    if (this.#isClosed || !this.#change?.to) this.#dropChange();
  }

  #dropChange(): void {
    const hold = this.#change?.to?.hold;
    if (hold) releaseHold(hold.requestId, this.#gateway);
    this.#change = undefined;
  }

  #takePermit(by: Transcriber | undefined, seconds: number): Promise<Permit> {
    const heard = Math.ceil(seconds * HEARD_TOKENS_PER_SECOND);
    const model = by && this.#gateway.catalog().models.get(by.model);
    return takeRates(this.#facts, model, heard * TOKENS_WITH_TRANSCRIPT, this.#gateway);
  }

  async #reserve(operation: SessionOperation): Promise<Hold> {
    const hold = await reservePart(this.#facts, operation, this.#gateway);
    if (!this.#isClosed) return hold;
    releaseHold(hold.requestId, this.#gateway);
    throw new GatewayError('service_unavailable', 'The session has ended.');
  }

  async #keepAhead(): Promise<void> {
    const by = this.#by;
    if (this.#ahead || !by) return;
    const hold = await this.#reserve(by.operation);
    if (this.#isOn && !this.#ahead && this.#by === by) this.#ahead = hold;
    else releaseHold(hold.requestId, this.#gateway);
  }

  #giveBack(): void {
    if (this.#ahead) releaseHold(this.#ahead.requestId, this.#gateway);
    this.#ahead = undefined;
  }

  /** It failed, or its upstream was lost. Nobody pays for it, and the upstream may bill what it has heard. */
  #lose(itemId: string): void {
    const awaited = this.#awaited.get(itemId);
    if (!awaited) return;
    this.#awaited.delete(itemId);
    const { hold, by, permit, seconds } = awaited;
    const record = openPart(this.#facts, hold, by, 'a transcript');
    record.fail(FAILED);
    const usage = estimate(seconds, '');
    record.noteWaste({ reason: 'failed', usage, priceVersionId: hold.price.versionId });
    release(record, hold, this.#gateway);
    permit.end(0);
    recordCall(record, this.#gateway);
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
