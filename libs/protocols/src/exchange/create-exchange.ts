import { isBlank } from '../canonical/blank-text.js';
import { GatewayError, omitUndefined } from '@mg/contract';
import { checkModelName } from '../canonical/check-model.js';
import { refuseField } from '../canonical/refuse.js';
import { refuseUpstreamRouting } from '../canonical/upstream-routing.js';
import type { StreamReader } from '../chat/chat-protocol.js';
import type { JsonObject } from '../json.js';
import type { UpstreamError } from '../canonical/upstream-error.js';
import type {
  PreparedCall,
  Exchange,
  ExchangeAnswer,
  ExchangeBody,
  ExchangeProtocol,
  ExchangeTarget,
  NameAddress,
  OutgoingBody,
  UpstreamAnswer,
} from './exchange.js';
import { renameModel } from './rename-model.js';

/** How a channel's wire format asks and is read. */
export interface ChannelFormat<Request, Reply> {
  /**
   * Whether the body of a client of this very wire format may go out with nothing but the model changed. It may, unless
   * set otherwise.
   *
   * @throws GatewayError `invalid_request` naming the field that the model cannot do.
   */
  takesAsIs?(request: Request, target: ExchangeTarget): boolean;
  /** @throws GatewayError `invalid_request` naming the field that it cannot carry. */
  encodeRequest(request: Request, target: ExchangeTarget): readonly OutgoingBody[];
  /** @throws GatewayError `upstream_error` */
  decodeReply(answers: readonly UpstreamAnswer[], request: Request): Reply;
  /** Reads along a stream of its events, for clients of this very wire format that asked to stream. */
  createTap?(request: Request): StreamReader;
  /** See `PreparedCall.canPassThrough`; for clients of this very wire format. */
  canPassThrough?(contentType: string): boolean;
  parseUpstreamError(body: string): UpstreamError;
}

/** How a client's wire format is answered. */
export interface ClientFormat<Request, Reply> {
  readonly protocol: ExchangeProtocol;
  encodeReply(reply: Reply, request: Request, nameAddress?: NameAddress): Omit<ExchangeAnswer, 'usage'>;
  /** The client's own body for a channel of its own wire format, where more than a member `model` names the model. */
  rename?(body: ExchangeBody, model: string): OutgoingBody;
  /** Whether an answer of this very wire format is what the client asked for; one that is not is converted. */
  fits?(answer: UpstreamAnswer, request: Request): boolean;
}

/** What every reply reports besides its content. */
export interface ReplyWithUsage {
  readonly usage: ExchangeAnswer['usage'];
}

export interface ExchangeParts<Request, Reply extends ReplyWithUsage> extends Omit<
  Exchange,
  'prepare' | 'protocol' | 'answerBytes'
> {
  /** None where answers are small. */
  readonly answerBytes?: number;
  readonly body: ExchangeBody;
  readonly request: Request;
  readonly client: ClientFormat<Request, Reply>;
  /** The wire formats that channels of this operation speak. */
  readonly channels: Readonly<Partial<Record<ExchangeProtocol, ChannelFormat<Request, Reply>>>>;
}

/**
 * An exchange over the wire formats of its operation. A channel that speaks the client's own gets the client's body with
 * nothing but the model changed, and its answer goes back untouched; any other is asked and read by its own format.
 *
 * @throws GatewayError `invalid_request` when it names no model.
 */
export function createExchange<Request, Reply extends ReplyWithUsage>(
  parts: ExchangeParts<Request, Reply>,
): Exchange {
  const { request, client, channels } = parts;
  const { operation, kind, model, stream, bound, priceVariants, estimate, promptTexts, remote } = parts;
  const { answerBytes = 0, openVariant, batchedAs } = parts;
  if (isBlank(model)) refuseField('model', 'must not be empty');
  checkModelName(model);
  return {
    operation,
    kind,
    model,
    stream,
    bound,
    priceVariants,
    estimate,
    promptTexts,
    answerBytes,
    ...omitUndefined({ remote, openVariant, batchedAs }),
    protocol: client.protocol,
    prepare(target) {
      const channel = channels[target.protocol];
      if (!channel) {
        throw new GatewayError(
          'invalid_request',
          `Channels of type ${target.channelType} do not serve this call.`,
        );
      }
      return target.protocol === client.protocol && goesAsIs(channel, request, target)
        ? prepareNative(parts, channel, target)
        : prepareConverted(parts, channel, target);
    },
  };
}

/** A request that has to be split is not the client's own any more. */
function goesAsIs<Request, Reply>(
  channel: ChannelFormat<Request, Reply>,
  request: Request,
  target: ExchangeTarget,
): boolean {
  if (channel.takesAsIs?.(request, target) === false) return false;
  return target.traits.maxInputs === undefined || channel.encodeRequest(request, target).length === 1;
}

function prepareNative<Request, Reply extends ReplyWithUsage>(
  parts: ExchangeParts<Request, Reply>,
  channel: ChannelFormat<Request, Reply>,
  target: ExchangeTarget,
): PreparedCall {
  const { body, request, client } = parts;
  if (target.traits.allowsUpstreamRouting !== true) refuseUpstreamRouting(listFields(body));
  return {
    bodies: [(client.rename ?? renameModel)(body, target.model)],
    ...readAlong(parts, channel, target),
    ...omitUndefined({ canPassThrough: channel.canPassThrough?.bind(channel) }),
    readAnswer: (answers, nameAddress) => {
      const [answer] = answers;
      if (!answer) throw new GatewayError('upstream_error', 'The upstream gave no answer.');
      const reply = channel.decodeReply(answers, request);
      return client.fits?.(answer, request) === false
        ? addUsage(client.encodeReply(reply, request, nameAddress), reply)
        : { contentType: answer.contentType, bytes: answer.bytes, usage: reply.usage };
    },
    parseUpstreamError: (text) => channel.parseUpstreamError(text),
  };
}

/** The answer's bytes are not made here. */
function addUsage(answer: Omit<ExchangeAnswer, 'usage'>, { usage }: ReplyWithUsage): ExchangeAnswer {
  const { contentType, writeInSlices } = answer;
  if (!writeInSlices) return { ...answer, usage };
  return {
    contentType,
    usage,
    writeInSlices,
    get bytes() {
      return answer.bytes;
    },
  };
}

function listFields(body: ExchangeBody): JsonObject {
  return body.kind === 'json' ? body.parsed : Object.fromEntries(body.parts.map(({ name }) => [name, true]));
}

function prepareConverted<Request, Reply extends ReplyWithUsage>(
  parts: ExchangeParts<Request, Reply>,
  channel: ChannelFormat<Request, Reply>,
  target: ExchangeTarget,
): PreparedCall {
  const { request, client } = parts;
  return {
    bodies: channel.encodeRequest(request, target),
    ...readAlong(parts, channel, target),
    readAnswer: (answers, nameAddress) => {
      const reply = channel.decodeReply(answers, request);
      return addUsage(client.encodeReply(reply, request, nameAddress), reply);
    },
    parseUpstreamError: (text) => channel.parseUpstreamError(text),
  };
}

/** A stream goes to the client as it comes, where both speak the same wire format. */
function readAlong<Request, Reply extends ReplyWithUsage>(
  { request, client, stream }: ExchangeParts<Request, Reply>,
  { createTap }: ChannelFormat<Request, Reply>,
  { protocol }: ExchangeTarget,
): Pick<PreparedCall, 'createReader'> {
  return stream && protocol === client.protocol && createTap
    ? { createReader: () => createTap(request) }
    : {};
}
