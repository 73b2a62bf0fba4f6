import { type Model, newId } from '@mg/contract';
import { openTriggeredCompaction, type StreamOpening, writeTriggeredCompaction } from '@mg/protocols';
import type { Plan } from '@mg/routing';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Bound, Operation } from '../../call/operation.js';
import type { PreparedAttempt } from '../../call/prepared-attempt.js';
import type { TimedAttempt } from '../../call/try-channels.js';
import { boundChat, type ChatHold } from '../chat/bound-chat.js';
import { PreparedChat } from '../chat/chat-attempt.js';
import { ChatOperation } from '../chat/chat-operation.js';
import type { ChatRequest } from '../chat/chat-request.js';
import { isNative, prepareChat } from '../chat/prepare-chat.js';
import { sizeChat } from '../chat/size-chat.js';
import { compactBySummary, refuseAnswer } from './compact-by-summary.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const EVENTS_TYPE = 'text/event-stream; charset=utf-8';
const MS_PER_SECOND = 1_000;

/** A request whose input ends in the wish to have it compacted, and the two ways in which a channel can be asked. */
export interface TriggeredRequest {
  readonly walletId: string;
  /** The client's own request, for channels that compact themselves. */
  readonly native: ChatRequest;
  /** A chat that asks for a summary, for all others. */
  readonly summary: ChatRequest;
}

/**
 * A response that is nothing but a compaction: by the provider where it compacts itself, else out of a summary, as it is for
 * `/v1/responses/compact`. Its stream then comes in one piece, and may begin before.
 */
export class TriggeredCompaction extends ChatOperation {
  readonly openEarly: Operation['openEarly'];
  readonly #id = newId().replaceAll('-', '');
  readonly #created = Math.floor(Date.now() / MS_PER_SECOND);
  /** Whether its client has the beginning of our own stream: no provider can go on from there. */
  #isOpen = false;
  /** Whether a provider may begin the stream. */
  #mayBeNative = false;

  constructor(
    private readonly triggered: TriggeredRequest,
    gateway: GatewayContext,
    { keepAnswer, keepsNothing }: Pick<ChatOperation, 'keepAnswer' | 'keepsNothing'>,
  ) {
    // What is sealed is never given as the answer to another call, and no upstream is asked to go on from it.
    super(triggered.native, gateway, {
      keepAnswer: keepAnswer && ((last) => keepAnswer(last)),
      goesOn: true,
      keepsNothing,
    });
    if (triggered.native.envelope.stream) this.openEarly = () => this.#open();
  }

  override bound(model: Model, plan: Plan, record: CallRecord): Bound<ChatHold> {
    const { native, summary } = this.triggered;
    const size = sizeChat(native, model, plan, this.gateway.chatEndpoints);
    const asked = summary.protocol.readDemand(summary.body, summary.envelope.parsed);
    const textBytes = Math.max(size.demand.textBytes, asked.textBytes);
    return boundChat({ ...size, demand: { ...size.demand, textBytes } }, model, record);
  }

  override prepare(
    attempt: TimedAttempt,
    hold: ChatHold,
  ): PreparedAttempt | undefined | Promise<PreparedAttempt> {
    const { chatEndpoints, mediaFetching } = this.gateway;
    const { native, summary } = this.triggered;
    const { channel, upstreamModel } = attempt;
    const own = chatEndpoints.find(channel, 'compact', upstreamModel, native.protocol.name);
    if (own && !this.#isOpen && isNative(own, native)) {
      this.#mayBeNative = true;
      return super.prepare(attempt, hold);
    }
    const endpoint = chatEndpoints.find(channel, 'chat', upstreamModel, summary.protocol.name);
    if (!endpoint) return undefined;
    const held = { request: summary, hold: withoutTools(hold), keepsNothing: this.keepsNothing };
    const prepared = prepareChat(endpoint, attempt, held, mediaFetching);
    return prepared instanceof Promise
      ? prepared.then((chat) => this.#toResponse(new PreparedChat(endpoint, summary, chat)))
      : this.#toResponse(new PreparedChat(endpoint, summary, prepared));
  }

  #open(): StreamOpening | undefined {
    if (this.#mayBeNative) return undefined;
    this.#isOpen = true;
    return openTriggeredCompaction(this.#describe());
  }

  #describe() {
    return { id: this.#id, created: this.#created, model: this.triggered.native.envelope.model };
  }

  #toResponse(chat: PreparedAttempt): PreparedAttempt {
    const { walletId, native } = this.triggered;
    const { stream } = native.envelope;
    return compactBySummary(chat, async ({ summary, answer: { usage } }) => {
      const { compactions } = this.gateway;
      if (!compactions) throw refuseAnswer('its summary cannot be sealed');
      const sealed = compactions.seal(walletId, summary);
      const bytes = Buffer.from(writeTriggeredCompaction(this.#describe(), { sealed, usage }, stream));
      return { contentType: stream ? EVENTS_TYPE : JSON_TYPE, bytes };
    });
  }
}

/** A summary is asked for without the tools of the request. */
function withoutTools(hold: ChatHold): ChatHold {
  const { demand, unpriced } = hold;
  const kept = unpriced.filter(({ kind }) => kind !== 'tool');
  return { ...hold, toolUses: undefined, demand: { ...demand, tools: [] }, unpriced: kept };
}
