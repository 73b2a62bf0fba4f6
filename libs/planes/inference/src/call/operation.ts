import type {
  CallerToken,
  GatewayError,
  HoldOutcome,
  HoldRequest,
  Model,
  ModelKind,
  NanoUsd,
  PinnedPrice,
  Usage,
} from '@mg/contract';
import type { ClientProtocolName, FormPart, Framing, StreamOpening, TextPieces } from '@mg/protocols';
import type { Plan } from '@mg/routing';
import type { FastifyRequest } from 'fastify';
import type { BodyLease } from '../edge/body-budget.js';
import type { FormLimits } from '../edge/read-form.js';
import type { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import type { Hold } from './hold.js';
import type { PinnedChannel } from './pin-channel.js';
import type { AnswerKeeper, PreparedAttempt } from './prepared-attempt.js';
import type { TimedAttempt } from './try-channels.js';

/** A request's body as it was received: the bytes of JSON, or the parts of a form. */
export type ReceivedBody = Buffer | readonly FormPart[];

/** An endpoint whose calls cost money. One operation may have several. */
export interface BilledEndpoint {
  /** Path as the route, the log and the metrics name it. */
  readonly path: string;
  /** Dialect of its errors. */
  readonly dialect: ClientProtocolName;
  /** Limits of a form, where the endpoint takes one. */
  readonly form?: FormLimits;
  /** Whether it takes nothing but a form. */
  readonly formOnly?: boolean;
  /** @throws GatewayError `invalid_request` naming the field. */
  open(
    body: ReceivedBody,
    request: FastifyRequest,
    gateway: GatewayContext,
    call: OpeningCall,
  ): OpenedCall | Promise<OpenedCall>;
}

/** Whose call is opened. */
export interface OpeningCall {
  readonly caller: CallerToken;
  /** Memory that the call holds until its end. */
  readonly lease: BodyLease;
  /** Told that it names files of the wallet, which may be gone when it is opened again. */
  readonly onStoredFiles?: () => void;
  /** Whether it was carried out already: files that it names were read then, and may be gone. */
  readonly isOver?: boolean;
}

export type OpenedCall = Operation | DeferredOperation;

/** Tokens of a call, for limits on them. */
export interface TokenBound {
  /** As far as it is sure: a call that uses more than a limit by this is never begun. */
  readonly least: number;
  /** What it is counted with until its end. */
  readonly most: number;
}

/** What a call can cost, for the hold. Amounts in nano-dollars. */
export interface Bound<Held extends Hold> {
  readonly price: PinnedPrice;
  /** The worst case. */
  readonly wanted: NanoUsd;
  /** The least that the call may be begun with. */
  readonly minimum: NanoUsd;
  /** Left out where a call uses no tokens. */
  readonly tokens?: TokenBound;
  /** How long the hold stands; as long as the longest call of the model when left out. */
  readonly ttlSeconds?: number;
  /** Opens the hold together with the task that it pays for; left out where a hold stands alone. */
  openHold?(request: HoldRequest): Promise<HoldOutcome>;
  /** What the operation needs to know of its hold later on. */
  toHold(hold: Hold): Held;
  /** Adds the cause to a refusal of billing, where the operation knows it. */
  explainRefusal?(error: GatewayError): GatewayError;
}

export interface OperationFacts<Held extends Hold> {
  readonly kind: ModelKind;
  /** The model slug. */
  readonly model: string;
  /** Whether the client wants its answer as a stream. */
  readonly stream: boolean;
  /** Dialect of the answer's headers and of an error in mid-stream. */
  readonly dialect: ClientProtocolName;
  /** Names the conversation that the call goes on with: the same for each of its calls. Left out where there is none. */
  conversation?(): string;
  /** The one channel that it can go to; left out where any will do. */
  readonly pinned?: PinnedChannel | undefined;
  /** The channel and key that hold what it goes on from: asked first, though any other will do. */
  readonly heldBy?: PinnedChannel | undefined;
  /** Whether no other model can stand in for its own. */
  readonly isBound?: boolean;
  /** Whether it goes on with what other calls add to: an equal call is not the same one. */
  readonly goesOn?: boolean;
  /** Room in memory, in bytes, that a whole answer will probably take. */
  readonly answerBytes: number;
  /**
   * What the call can cost at the price in force now.
   *
   * @throws GatewayError `invalid_request` or `model_not_priced`.
   */
  bound(model: Model, plan: Plan, record: CallRecord): Bound<Held>;
}

/** Usage as it is billed. */
export interface BilledUsage {
  readonly usage: Usage;
  /** Whether a tokenizer counted because the upstream did not report. */
  readonly estimated: boolean;
}

/** What was read of an answer: the usage it reported, and the text to count where it reported none. */
export interface UsageReport {
  readonly usage: Usage | undefined;
  /** Of a long text the pieces, which are not joined. */
  readText(): string | TextPieces;
}

/** How an answer ended, for measuring it. */
export interface AnswerEnd<Held extends Hold = Hold> {
  readonly hold: Held;
  readonly prepared: PreparedAttempt;
  /** Whether the answer came to its end; not when the client left before. */
  readonly isWhole: boolean;
}

/** What an upstream's stream has told of what is billed. */
export interface ShownSoFar {
  readonly usage: Usage | undefined;
  /** Whether the provider may have run a tool of its own; `undefined` where its stream does not tell of each. */
  readonly hasRunTool?: boolean | undefined;
}

/**
 * What is particular to one kind of call, as one request of it was read. Everything else of a billed call stands in
 * `billed-call.ts`. The pipeline keeps the operation's own hold and gives it back unread.
 */
export interface Operation<Held extends Hold = Hold> extends OperationFacts<Held> {
  /** How the client wants its stream cut. */
  readonly framing: Framing;
  /** Whether a caller who leaves before the answer begins pays for what was sent. */
  readonly chargesUnanswered: boolean;
  /** Whether what an upstream may have made already must not be ordered from another one. */
  readonly isOrderedOnce: boolean;
  /**
   * Whether only the upstream can say what the call uses. It then runs to its end, also when its client leaves: an estimate would
   * be far from the provider's bill.
   *
   * @param shown what the upstream has told so far.
   */
  mustBeReported(hold: Held, shown?: ShownSoFar): boolean;
  /**
   * What a channel is asked; `undefined` when it does not serve such calls.
   *
   * @throws GatewayError `invalid_request` for what the channel cannot carry.
   */
  prepare(
    attempt: TimedAttempt,
    hold: Held,
  ): PreparedAttempt | undefined | Promise<PreparedAttempt | undefined>;
  /** What an answer is billed by. */
  measure(report: UsageReport, end: AnswerEnd<Held>): BilledUsage | Promise<BilledUsage>;
  /** Usage of what was sent, as far as the gateway knows it: before the upstream reports any. */
  estimateSent(hold: Held): Promise<Usage>;
  /** The same at once, by the length of what was sent: for what no caller is charged for. */
  approximateSent(hold: Held): Usage;
  /**
   * Keeps a whole answer for later calls, before its last bytes leave; left out where none is kept. Never fails the call.
   *
   * @param last those bytes: all of them, where the answer is no stream.
   * @param keeper who keeps the answer upstream, where anybody does.
   */
  readonly keepAnswer?: ((last: Buffer, keeper?: AnswerKeeper) => Promise<void>) | undefined;
  /**
   * Writes what the call cost into the end of its stream; left out where its caller did not ask for that. The end is then held
   * back from the moment at which the answer is whole.
   */
  readonly showCost?: ((last: Buffer, cost: NanoUsd) => Buffer) | undefined;
  /**
   * What its stream begins with before its answer is there, and from when on the answer has to go on from that; `undefined` where
   * the answer is still to begin it. Left out where answers come piece by piece or no stream is wanted.
   */
  readonly openEarly?: (() => StreamOpening | undefined) | undefined;
  /** What of usage that was reported so far is billed. */
  billable(usage: Usage, hold: Held, prepared: PreparedAttempt): Usage;
}

/** A call that a worker carries out: it is answered once a worker has taken it, and billing charges it at its end. */
export interface DeferredOperation<Held extends Hold = Hold> extends OperationFacts<Held> {
  /** The worker chooses the channel; here it only matters that there is one. @throws GatewayError `upstream_unavailable` */
  route(model: Model): Plan;
  /** Hands the call to a worker and waits for what comes of it. @throws GatewayError when it comes to nothing. */
  submit(hold: Held, record: CallRecord): Promise<SubmittedAnswer>;
}

/** What the client of a deferred call gets. */
export interface SubmittedAnswer {
  readonly bytes: Buffer;
  /** What was left out of the request, for the header. */
  readonly dropped: string | undefined;
}

export function isDeferred(operation: OpenedCall): operation is DeferredOperation {
  return 'submit' in operation;
}
