import { formatUsd, type Model, NO_USAGE, type Usage } from '@mg/contract';
import { outputTokensWithin } from '@mg/pricing';
import { nameConversation, writeCost } from '@mg/protocols';
import type { Plan } from '@mg/routing';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type {
  AnswerEnd,
  BilledUsage,
  Bound,
  Operation,
  ShownSoFar,
  UsageReport,
} from '../../call/operation.js';
import { pinPrice } from '../../call/pin-price.js';
import type { PreparedAttempt } from '../../call/prepared-attempt.js';
import { estimateBytes } from '../../call/token-counter.js';
import type { TimedAttempt } from '../../call/try-channels.js';
import { billUsage } from './bill-usage.js';
import { boundChat, type ChatHold } from './bound-chat.js';
import { type ChatAttempt, PreparedChat } from './chat-attempt.js';
import type { ChatRequest } from './chat-request.js';
import { estimatePrompt, readPartialUsage } from './estimate-usage.js';
import { findHeldRequest, findKeeper, type HeldConversation } from './held-conversation.js';
import { prepareChat } from './prepare-chat.js';
import { sizeChat } from './size-chat.js';

/** What a chat has to do with calls before and after it. */
interface ChatMemory {
  readonly keepAnswer?: Operation['keepAnswer'];
  readonly goesOn?: boolean;
  readonly held?: HeldConversation | undefined;
  /** Whether the key is one of which nothing may be kept. */
  readonly keepsNothing?: boolean;
}

/** What a chat can cost, and what that depends on. */
interface BoundOf extends Pick<CallRecord, 'tokenLimit'> {
  readonly model: Model;
  readonly plan: Plan;
  readonly bound: Bound<ChatHold>;
}

/** One chat completion, in whatever protocol it came. */
export class ChatOperation implements Operation<ChatHold> {
  readonly kind = 'chat';
  readonly answerBytes = 0;
  /** The upstream has the prompt by then, and bills it. */
  readonly chargesUnanswered = true;
  readonly isOrderedOnce: boolean = false;
  readonly showCost: Operation['showCost'];
  readonly keepAnswer: Operation['keepAnswer'];
  readonly goesOn: boolean;
  /** Whether nothing of it may be kept, neither here nor upstream. */
  readonly keepsNothing: boolean;
  readonly #held: HeldConversation | undefined;
  #bounded: BoundOf | undefined;

  constructor(
    readonly request: ChatRequest,
    protected readonly gateway: GatewayContext,
    { keepAnswer, goesOn = false, held, keepsNothing = false }: ChatMemory = {},
  ) {
    this.keepAnswer = keepAnswer;
    this.goesOn = goesOn;
    this.#held = held;
    this.keepsNothing = keepsNothing;
    const { usagePath } = request.protocol;
    if (request.showsCost) this.showCost = (last, cost) => writeCost(last, usagePath, formatUsd(cost));
  }

  get model() {
    return this.request.envelope.model;
  }

  get stream() {
    return this.request.envelope.stream;
  }

  get dialect() {
    return this.request.protocol.name;
  }

  get framing() {
    return this.request.framing;
  }

  get pinned() {
    return this.request.cached;
  }

  get heldBy() {
    return this.#held?.heldBy;
  }

  get isBound() {
    return this.request.cached !== undefined;
  }

  conversation(): string {
    return nameConversation(this.request.envelope.parsed);
  }

  /** Limits ask for it and then whoever holds the money: it is computed once while nothing is different. */
  bound(model: Model, plan: Plan, record: CallRecord): Bound<ChatHold> {
    const { tokenLimit } = record;
    const { versionId } = pinPrice(record, model);
    const last = this.#bounded;
    const isSame = last?.plan === plan && last.model === model && last.tokenLimit === tokenLimit;
    if (isSame && last.bound.price.versionId === versionId) return last.bound;
    const size = sizeChat(this.request, model, plan, this.gateway.chatEndpoints, this.#held?.unshownTokens);
    const bound = boundChat(size, model, record);
    this.#bounded = { model, plan, tokenLimit, bound };
    return bound;
  }

  prepare(attempt: TimedAttempt, hold: ChatHold): PreparedAttempt | undefined | Promise<PreparedAttempt> {
    const { request, gateway, keepsNothing } = this;
    const { channel, upstreamModel } = attempt;
    // A stream keeps its operation to its end.
    this.#bounded = undefined;
    const endpoint = gateway.chatEndpoints.find(channel, 'chat', upstreamModel, request.protocol.name);
    if (!endpoint) return undefined;
    const held = this.#held && findHeldRequest(this.#held, endpoint, attempt);
    const asked = held ?? request;
    const chat = { request: asked, hold, keepsNothing };
    const prepared = prepareChat(endpoint, attempt, chat, gateway.mediaFetching);
    const finish = (chat: ChatAttempt) =>
      new PreparedChat(endpoint, asked, chat, {
        keeper: findKeeper(endpoint, attempt, chat),
        goesOn: held !== undefined,
        isForgotten: attempt.isForgotten,
      });
    return prepared instanceof Promise ? prepared.then(finish) : finish(prepared);
  }

  /**
   * What a tokenizer cannot count: media, what tools that the provider runs, compactions and predictions add to prompt and answer,
   * and answers that are not shown as text. Nothing is told of these before the end.
   */
  mustBeReported({ demand }: ChatHold, shown?: ShownSoFar): boolean {
    const { tools, compactions, extraOutputTokens, hidesOutput = false } = demand;
    if (compactions > 0 || extraOutputTokens > 0 || hidesOutput) return true;
    // Agents declare a search with each request, and few requests use it.
    if (tools.length > 0 && shown?.hasRunTool !== false) return true;
    const { images, unboundedField, hasMedia = false } = demand;
    return !shown?.usage && (images > 0 || unboundedField !== undefined || hasMedia);
  }

  measure(report: UsageReport, end: AnswerEnd<ChatHold>): BilledUsage | Promise<BilledUsage> {
    const { hold, prepared, isWhole } = end;
    if (!isWhole || !report.usage) return this.#measureText(report, end);
    return { usage: billUsage(report.usage, hold, prepared), estimated: false };
  }

  async #measureText(report: UsageReport, { hold, prepared }: AnswerEnd<ChatHold>): Promise<BilledUsage> {
    const { request, gateway } = this;
    const read = await readPartialUsage(request, report.usage, report.readText(), gateway.counter);
    const usage = read.estimated ? boundByHold(read.usage, hold) : read.usage;
    return { usage: billUsage(usage, hold, prepared), estimated: read.estimated };
  }

  async estimateSent(hold: ChatHold): Promise<Usage> {
    return boundByHold(await estimatePrompt(this.request, this.gateway.counter), hold);
  }

  approximateSent({ promptTokens }: ChatHold): Usage {
    return { ...NO_USAGE, inputTokens: Math.min(estimateBytes(this.request.body.length), promptTokens) };
  }

  billable(usage: Usage, hold: ChatHold, prepared: PreparedAttempt): Usage {
    return billUsage(usage, hold, prepared);
  }
}

/** What was not reported but estimated costs no more than was held for the call. */
function boundByHold(usage: Usage, { granted, price, promptTokens }: ChatHold): Usage {
  const inputTokens = Math.min(usage.inputTokens, promptTokens);
  const most = outputTokensWithin(granted, { promptTokens: inputTokens }, price.price) ?? usage.outputTokens;
  return { ...usage, inputTokens, outputTokens: Math.min(usage.outputTokens, most) };
}
