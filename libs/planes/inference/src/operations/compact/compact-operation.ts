import { type Model, newId } from '@mg/contract';
import { ANSWER_SHAPE, refuseUpstreamRouting, stringifyInSlices, writeCompaction } from '@mg/protocols';
import type { Plan } from '@mg/routing';
import type { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Bound } from '../../call/operation.js';
import type { AnswerLimits, PreparedAttempt } from '../../call/prepared-attempt.js';
import type { TimedAttempt } from '../../call/try-channels.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { boundChat, type ChatHold } from '../chat/bound-chat.js';
import { passHeaders } from '../chat/chat-attempt.js';
import { ChatOperation } from '../chat/chat-operation.js';
import type { ChatRequest } from '../chat/chat-request.js';
import { isNative } from '../chat/prepare-chat.js';
import { refuseUnpriced } from '../chat/refuse-unpriced.js';
import { sizeChat } from '../chat/size-chat.js';
import { compactBySummary, refuseAnswer } from './compact-by-summary.js';

const NATIVE_LIMITS: AnswerLimits = { maxBytes: 32 * 1024 * 1024, isJson: true, shape: ANSWER_SHAPE };
const JSON_TYPE = 'application/json; charset=utf-8';

/** Money set aside for a compaction. */
interface CompactHold extends ChatHold {
  /** Whether it covers the longest answer of the model: a provider that compacts itself takes no cap. */
  readonly coversLongest: boolean;
}

/** A conversation to compact, and the two ways in which a channel can be asked. */
export interface CompactRequest {
  readonly walletId: string;
  /** The whole conversation. */
  readonly items: readonly unknown[];
  /** The client's own request, for channels that compact themselves. */
  readonly native: ChatRequest;
  /** A chat that asks for a summary, for all others. */
  readonly summary: ChatRequest;
}

/**
 * A compaction: by the provider where it compacts itself, else out of a summary that the model is asked for like in any other
 * chat, and that later calls of the same wallet can read.
 */
export class CompactOperation extends ChatOperation {
  constructor(
    private readonly compact: CompactRequest,
    gateway: GatewayContext,
  ) {
    super(compact.summary, gateway);
  }

  override bound(model: Model, plan: Plan, record: CallRecord): Bound<CompactHold> {
    const { native, summary } = this.compact;
    const { chatEndpoints } = this.gateway;
    const size = sizeChat(summary, model, plan, chatEndpoints);
    const nativeBytes = native.protocol.readDemand(native.body, native.envelope.parsed).textBytes;
    const textBytes = Math.max(size.demand.textBytes, nativeBytes);
    const bound = boundChat({ ...size, demand: { ...size.demand, textBytes } }, model, record);
    return {
      ...bound,
      toHold: (hold) => ({
        ...bound.toHold(hold),
        coversLongest: model.maxOutputTokens !== undefined && hold.granted >= bound.wanted,
      }),
    };
  }

  override prepare(
    attempt: TimedAttempt,
    hold: CompactHold,
  ): PreparedAttempt | undefined | Promise<PreparedAttempt> {
    const native = hold.coversLongest ? this.#prepareNative(attempt, hold) : undefined;
    if (native) return native;
    const prepared = super.prepare(attempt, hold);
    if (prepared instanceof Promise) return prepared.then((chat) => this.#toCompaction(chat));
    return prepared && this.#toCompaction(prepared);
  }

  #prepareNative(
    { channel, upstreamModel }: TimedAttempt,
    { unpriced }: CompactHold,
  ): PreparedAttempt | undefined {
    const { native } = this.compact;
    const { protocol, body, envelope } = native;
    const endpoint = this.gateway.chatEndpoints.find(channel, 'compact', upstreamModel, protocol.name);
    if (!endpoint || !isNative(endpoint, native)) return undefined;
    const { traits } = endpoint;
    refuseUpstreamRouting(envelope.parsed);
    refuseUnpriced(unpriced, envelope.model);
    const edits = { model: upstreamModel, forceUsage: false, cap: undefined, traits };
    return {
      endpoint,
      bodies: [{ contentType: 'application/json', bytes: protocol.editRequest(body, envelope, edits) }],
      passedHeaders: passHeaders(endpoint, native),
      dropped: undefined,
      limits: NATIVE_LIMITS,
      stream: undefined,
      readAnswer: ([answer]) => {
        const { bytes, parsed } = answer ?? {};
        if (!bytes || !parsed || !protocol.isAnswer(parsed))
          throw refuseAnswer('its answer is no compaction');
        const usage = protocol.readAnswerUsage(parsed);
        return { contentType: JSON_TYPE, bytes, usage, readText: () => protocol.listProducedTexts(parsed) };
      },
      parseUpstreamError: (text) => protocol.parseUpstreamError(text),
    };
  }

  #toCompaction(chat: PreparedAttempt): PreparedAttempt {
    const { items, walletId } = this.compact;
    return compactBySummary(chat, async ({ summary, response, answer }) => {
      const { compactions } = this.gateway;
      if (!compactions) throw refuseAnswer('its summary cannot be sealed');
      const sealed = compactions.seal(walletId, summary);
      const compaction = writeCompaction({ id: newId().replaceAll('-', ''), items, sealed, response });
      return { contentType: answer.contentType, bytes: await stringifyInSlices(compaction, nextTurn) };
    });
  }
}
