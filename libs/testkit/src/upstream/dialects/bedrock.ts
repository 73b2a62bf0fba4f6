import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../json.js';
import { anthropicMessages } from './anthropic-messages.js';
import { readMessagesRequest, refuseUrls } from './anthropic-request.js';
import type { Dialect, ErrorFacts } from './dialect.js';
import { refuse } from '../request.js';

const COUNT_PATH = /^\/model\/anthropic\.[^/]+\/count-tokens$/;
const PATH = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream|converse|converse-stream)$/;

/** What a path of Bedrock names. */
export function matchBedrockPath(path: string): { readonly model: string; readonly stream: boolean } {
  const [, model = '', method = ''] = PATH.exec(path) ?? [];
  return { model: decodeURIComponent(model), stream: method.endsWith('-stream') };
}

/** Either a Bedrock API key, or the id of the AWS key that signed. */
export function readBedrockKey({ authorization = '' }: IncomingHttpHeaders): string {
  const [, signer] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[a-z0-9-]+\/bedrock\/aws4_request, .*Signature=[0-9a-f]{64}$/.exec(
      authorization,
    ) ?? [];
  return signer ?? authorization.replace(/^Bearer /, '');
}

/** Bedrock says no more than a message, and in a stream by an exception. */
export const describeBedrockError: Dialect['describeError'] = (_status, { message }) => ({ message });

export function describeBedrockException({ message }: ErrorFacts): { name: string; body: unknown } {
  return { name: 'modelStreamErrorException', body: { message } };
}

/** Claude on Bedrock: Anthropic's messages without model and stream, in frames that wrap each event. */
export const bedrockInvoke: Dialect = {
  ...anthropicMessages,
  path: /^\/model\/[^/]+\/invoke(?:-with-response-stream)?$/,
  style: { done: false, frames: 'wrapped' },
  readKey: readBedrockKey,
  readModel: ({ path }) => matchBedrockPath(path).model,
  readRequest: ({ path, headers, body }) => {
    if (!isObject(body)) return refuse('The request body is not valid JSON.');
    const { anthropic_version: version, anthropic_beta: _betas, ...rest } = body;
    if (version !== 'bedrock-2023-05-31') return refuse('anthropic_version: Field required');
    const extra = ['model', 'stream'].find((field) => field in rest);
    if (extra !== undefined) return refuse(`${extra}: Extra inputs are not permitted`);
    const far = refuseUrls(rest);
    if (far) return far;
    return readMessagesRequest({
      path,
      headers: { ...headers, 'anthropic-version': '2023-06-01' },
      body: { ...rest, ...matchBedrockPath(path) },
    });
  },
  describeError: describeBedrockError,
  describeErrorEvent: describeBedrockException,
  counting: {
    path: COUNT_PATH,
    toChat: (arrival) => ({
      ...arrival,
      path: arrival.path.replace(/count-tokens$/, 'invoke'),
      body: readCounted(arrival.body),
    }),
    describe: (tokens) => ({ inputTokens: tokens }),
  },
};

/** A request to be counted, which travels inside as base64. */
function readCounted(body: unknown): unknown {
  const input = isObject(body) && isObject(body['input']) ? body['input'] : {};
  const invoke = isObject(input['invokeModel']) ? input['invokeModel'] : {};
  try {
    return JSON.parse(Buffer.from(String(invoke['body']), 'base64').toString('utf8'));
  } catch {
    return undefined;
  }
}
