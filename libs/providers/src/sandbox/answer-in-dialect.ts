import { randomUUID } from 'node:crypto';
import { GatewayError, omitUndefined } from '@mg/contract';
import {
  type CanonicalRequest,
  type ChatProtocol,
  findChatProtocol,
  findCodec,
  isObject,
  type JsonObject,
  type ClientProtocolName,
  parseOpenAiError,
  type ReplyContext,
} from '@mg/protocols';
import type { LocalAnswer, LocalReply, LocalRequest } from '../descriptor.js';
import { answerChat } from './answer-chat.js';
import { isTooLarge, TOO_LARGE } from './limits.js';
import { replyWith } from './reply.js';
import { signReply, ThoughtSigner } from './sign-thoughts.js';

/** The protocol that the simulation itself speaks. */
const SIMULATED = findCodec('openai-chat');

/** The simulation in another protocol: asked and answered in its own, converted on both ways. */
export function answerIn(name: ClientProtocolName): LocalAnswer {
  const protocol = findChatProtocol(name);
  return (request) => {
    try {
      return answer(protocol, request);
    } catch (error) {
      if (error instanceof GatewayError) return replyWith(error.status, describe(protocol, error));
      throw error;
    }
  };
}

function answer(protocol: ChatProtocol, request: LocalRequest): LocalReply {
  const call = readCall(request);
  const asked = protocol.codec.decodeRequest(call.body, call.model, call.stream);
  const reply = answerChat({ ...request, body: encodeForSimulation(asked, protocol) });
  if (reply.status !== 200) return { ...reply, chunks: convertRefusal(protocol, reply) };
  const context: ReplyContext = omitUndefined({
    model: call.model,
    includeUsage: true,
    showReasoning: asked.reasoning?.show ?? protocol.name !== 'gemini-generate',
    framing: call.framing,
    repeated: request.repeated,
  });
  const convert = call.stream ? convertStream : convertWhole;
  const type =
    call.stream && call.framing === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/json';
  return {
    status: 200,
    headers: { ...reply.headers, 'content-type': type },
    chunks: convert(protocol, reply, context),
  };
}

interface Call {
  readonly body: JsonObject;
  readonly model: string;
  readonly stream: boolean;
  readonly framing: 'sse' | 'json-array';
}

/** Google's protocol has model and streaming in the path, the others in the body. */
function readCall({ body: bytes, path }: LocalRequest): Call {
  const body = parseBody(bytes);
  const method = /^\/models\/([^:]+):(stream)?/.exec(path);
  if (!method) {
    return { body, model: String(body.model ?? ''), stream: body.stream === true, framing: 'sse' };
  }
  return {
    body,
    model: decodeURIComponent(method[1] ?? ''),
    stream: method[2] !== undefined,
    framing: path.includes('alt=sse') ? 'sse' : 'json-array',
  };
}

function parseBody(bytes: Buffer): JsonObject {
  if (isTooLarge(bytes)) throw new GatewayError('invalid_request', TOO_LARGE);
  try {
    const body: unknown = JSON.parse(bytes.toString());
    if (isObject(body)) return body;
  } catch {
    // Reported below, as for a body that is no object.
  }
  throw new GatewayError('invalid_request', 'The body is not a JSON object.');
}

function encodeForSimulation(asked: CanonicalRequest, client: ChatProtocol): Buffer {
  const body = SIMULATED.encodeRequest(
    { ...asked, includeUsage: true },
    {
      upstreamModel: asked.model,
      channelType: 'sandbox',
      traits: {},
      client,
      dropped: { add: () => undefined },
    },
  );
  return Buffer.from(JSON.stringify(body));
}

async function* convertWhole(
  protocol: ChatProtocol,
  reply: LocalReply,
  context: ReplyContext,
): AsyncGenerator<Buffer> {
  const whole = SIMULATED.decodeReply(JSON.parse(await collect(reply)) as JsonObject);
  yield Buffer.from(JSON.stringify(protocol.codec.encodeReply(signReply(whole, protocol.name), context)));
}

async function* convertStream(
  protocol: ChatProtocol,
  reply: LocalReply,
  context: ReplyContext,
): AsyncGenerator<Buffer> {
  const decoder = SIMULATED.createStreamDecoder();
  const signer = new ThoughtSigner(protocol.name);
  const encoder = protocol.codec.createStreamEncoder(context);
  for await (const chunk of reply.chunks) {
    const events = signer.sign(decoder.push(chunk));
    const text = events.map((event) => encoder.encode(event)).join('');
    if (text !== '') yield Buffer.from(text);
  }
}

/** What the simulation did not like, in the protocol's own shape. */
async function* convertRefusal(protocol: ChatProtocol, reply: LocalReply): AsyncGenerator<Buffer> {
  const { message = 'The request is not valid.', param } = parseOpenAiError(await collect(reply));
  const error = new GatewayError('invalid_request', message, { param });
  yield Buffer.from(JSON.stringify(describe(protocol, error)));
}

function describe(protocol: ChatProtocol, error: GatewayError): JsonObject {
  return protocol.renderError(error, `sandbox_${randomUUID()}`);
}

async function collect({ chunks }: LocalReply): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}
