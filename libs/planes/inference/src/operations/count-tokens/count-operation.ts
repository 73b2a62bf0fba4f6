import { GatewayError, type Model } from '@mg/contract';
import {
  ANSWER_SHAPE,
  FileMarks,
  findUpstreamProtocol,
  type JsonObject,
  parseObject,
  runInSlices,
  type StoredBytes,
  stringifyInSlices,
  type UpstreamAnswer,
} from '@mg/protocols';
import type { Plan } from '@mg/routing';
import type { CallRecord } from '../../call/call-record.js';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import { DroppedFields } from '../../call/dropped-fields.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Bound } from '../../call/operation.js';
import type { AnswerLimits, PreparedAttempt, WholeAnswer } from '../../call/prepared-attempt.js';
import type { TimedAttempt } from '../../call/try-channels.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { boundChat, type ChatHold } from '../chat/bound-chat.js';
import { passHeaders } from '../chat/chat-attempt.js';
import type { ChatRequest } from '../chat/chat-request.js';
import { encodeForChannel } from '../chat/encode-for-channel.js';
import { isNative } from '../chat/prepare-chat.js';
import { convertContentInSteps, noteContentInSteps } from '../chat/prepare-converted.js';
import { sizeChat } from '../chat/size-chat.js';

const LIMITS: AnswerLimits = { maxBytes: 64 * 1024, isJson: true, shape: ANSWER_SHAPE };

/** Member of an answer in the client's protocol that holds the count. */
export type CountFigure = 'input_tokens' | 'totalTokens';

/** A count of a prompt's tokens by a channel: in the client's own bytes where it speaks the client's protocol, else converted. */
export class CountOperation {
  readonly answerBytes = 0;
  readonly isOrderedOnce = false;

  constructor(
    private readonly request: ChatRequest,
    readonly figure: CountFigure,
    private readonly gateway: GatewayContext,
  ) {}

  /** A count costs nothing, but whoever could not pay for the prompt is not served. */
  bound(model: Model, plan: Plan, record: CallRecord): Bound<ChatHold> {
    const size = sizeChat(this.request, model, plan, this.gateway.chatEndpoints);
    return boundChat({ ...size, maxTokens: 0 }, model, record);
  }

  /** @throws GatewayError `invalid_request` where the channel's protocol cannot carry what is to be counted. */
  async prepare(attempt: TimedAttempt): Promise<PreparedAttempt | undefined> {
    const { request, figure, gateway } = this;
    const { channel, upstreamModel } = attempt;
    const { protocol } = request;
    const endpoint = gateway.chatEndpoints.find(channel, 'count-tokens', upstreamModel, protocol.name);
    if (!endpoint) return undefined;
    const isOwn = isNative(endpoint, request);
    const bytes = isOwn
      ? editBody(request, endpoint, upstreamModel)
      : await convertBody(request, endpoint, attempt);
    const { countedIn } = endpoint.surface;
    return {
      endpoint,
      bodies: [{ contentType: 'application/json', bytes }],
      passedHeaders: isOwn ? passHeaders(endpoint, request) : {},
      dropped: undefined,
      limits: LIMITS,
      stream: undefined,
      readAnswer: ([answer]) =>
        readCount(answer, isOwn && countedIn === figure ? undefined : countedIn, figure),
      parseUpstreamError: (text) => protocol.parseUpstreamError(text),
    };
  }

  /** Whether a channel's error about a request names the client's own fields about the client's own bytes. */
  speaksClientProtocol(attempt: TimedAttempt): boolean {
    const { request, figure, gateway } = this;
    const { channel, upstreamModel } = attempt;
    const { protocol } = request;
    const endpoint = gateway.chatEndpoints.find(channel, 'count-tokens', upstreamModel, protocol.name);
    return endpoint?.surface.countedIn === figure && isNative(endpoint, request);
  }
}

function editBody(
  { protocol, body, envelope }: ChatRequest,
  { traits }: ChatEndpoint,
  model: string,
): Buffer | StoredBytes {
  return protocol.editRequest(body, envelope, {
    model,
    forceUsage: false,
    cap: undefined,
    traits,
  });
}

/** What the channel's protocol leaves out of a request is not billed in a chat either. It is converted in steps. */
async function convertBody(
  request: ChatRequest,
  endpoint: ChatEndpoint,
  attempt: TimedAttempt,
): Promise<Buffer> {
  const { envelope, protocol } = request;
  const target = { ...attempt, endpoint, client: protocol, dropped: new DroppedFields(protocol) };
  const upstream = findUpstreamProtocol(endpoint.surface.protocol);
  const marks = new FileMarks();
  await noteContentInSteps(protocol, envelope.parsed);
  const decoding = protocol.codec.decodeInSteps(envelope.parsed, envelope.model, false);
  const decoded = await runInSlices(decoding, nextTurn);
  const asked = await convertContentInSteps(decoded, upstream, marks);
  const encoded = await runInSlices(encodeForChannel(asked, target), nextTurn);
  return marks.put(await stringifyInSlices(encoded, nextTurn), nextTurn);
}

/** An answer in the client's own words goes back as it is. @param from member that holds the count in another protocol. */
function readCount(
  answer: UpstreamAnswer | undefined,
  from: string | undefined,
  figure: CountFigure,
): WholeAnswer {
  const { parsed, bytes, contentType } = answer ?? {};
  if (!parsed || !bytes || contentType === undefined) {
    throw new GatewayError('upstream_error', 'its answer is no count');
  }
  const counted = from === undefined ? bytes : Buffer.from(JSON.stringify({ [figure]: parsed[from] }));
  return { contentType, bytes: counted, usage: undefined, readText: () => '' };
}

/** The count of an answer, where it holds one. */
export function parseCount({ bytes }: WholeAnswer, figure: CountFigure): JsonObject | undefined {
  const parsed = parseObject(bytes.toString('utf8'));
  return Number.isSafeInteger(parsed?.[figure]) ? parsed : undefined;
}
