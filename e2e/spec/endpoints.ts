import { omitUndefined } from '@mg/contract';
import { writeSilence } from '@mg/testkit';
import { type RawAnswer, request } from '../src/clients/gateway-client.js';
import { type BilledName, slugWhere } from '../src/deployment/conditions.js';
import { KEYS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';

export const GENERIC_VIDEO = '/v1/video/generations';
export const NATIVE_VIDEO = '/videonative/api/v3/contents/generations/tasks';

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export type Dialect = 'openai' | 'anthropic' | 'gemini';

/** An endpoint that is billed: where it stands in the specification's table, and an ordinary request to it. */
export interface Endpoint {
  readonly name: BilledName;
  /** Its number in section 4 of the specification; none for those that only the operator contract names. */
  readonly number?: number;
  /** `{model}` stands for the model's slug; where it does not, the body names the model. */
  readonly path: string;
  /** Whose shape the `error` beside `detail` has. */
  readonly dialect: Dialect;
  readonly body: 'json' | 'form';
  /** Fields of the request beside the model; files are blobs. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const HELLO = [{ role: 'user', content: 'Hello there' }];
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hello there' }] }];
const CONTENT = { parts: [{ text: 'a river' }] };
const RECORDING = new Blob([new Uint8Array(writeSilence(1))], { type: 'audio/wav' });

/** The billed ones of the twelve endpoints of section 4. */
export const TWELVE: readonly Endpoint[] = [
  json(2, 'chat', '/v1/chat/completions', 'openai', { messages: HELLO }),
  json(3, 'messages', '/v1/messages', 'anthropic', { messages: HELLO, max_tokens: 100 }),
  json(4, 'generate', '/v1beta/models/{model}:generateContent', 'gemini', { contents: CONTENTS }),
  json(5, 'embeddings', '/v1/embeddings', 'openai', { input: 'a river' }),
  json(6, 'image-generations', '/v1/images/generations', 'openai', { prompt: 'a river' }),
  form(7, 'image-edits', '/v1/images/edits', { prompt: 'a river', image: png() }),
  json(8, 'video-generic', GENERIC_VIDEO, 'openai', { prompt: 'a river' }),
  json(10, 'video-native', NATIVE_VIDEO, 'openai', { content: [{ type: 'text', text: 'a river' }] }),
  form(12, 'transcriptions', '/v1/audio/transcriptions', { file: RECORDING }),
];

/** Billed endpoints that the operator contract adds, and those that came with them. */
export const BEYOND: readonly Endpoint[] = [
  json(undefined, 'completions', '/v1/completions', 'openai', { prompt: 'Hello there' }),
  json(undefined, 'responses', '/v1/responses', 'openai', { input: 'Hello there' }),
  json(undefined, 'stream-generate', '/v1beta/models/{model}:streamGenerateContent', 'gemini', {
    contents: CONTENTS,
  }),
  json(undefined, 'embed-content', '/v1beta/models/{model}:embedContent', 'gemini', { content: CONTENT }),
  json(undefined, 'batch-embed-contents', '/v1beta/models/{model}:batchEmbedContents', 'gemini', {
    requests: [{ content: CONTENT }],
  }),
  form(undefined, 'translations', '/v1/audio/translations', { file: RECORDING }),
  json(undefined, 'speech', '/v1/audio/speech', 'openai', { input: 'Hello there', voice: 'alloy' }),
  json(undefined, 'rerank', '/v1/rerank', 'openai', { query: 'river', documents: ['a river', 'a hill'] }),
];

export const BILLED: readonly Endpoint[] = [...TWELVE, ...BEYOND];

/** The endpoint with this number of section 4. */
export function endpointOf(number: number): Endpoint {
  const found = TWELVE.find((endpoint) => endpoint.number === number);
  if (!found) throw new Error(`section 4 has no billed endpoint ${number}`);
  return found;
}

/** The paths of both polls. */
export const POLLS = [
  { number: 9, path: GENERIC_VIDEO },
  { number: 11, path: NATIVE_VIDEO },
] as const;

export interface Ask {
  /** The model that works by default. */
  readonly model?: string;
  readonly key?: string;
  /** Instead of those of an ordinary request; `undefined` leaves one out. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an endpoint its ordinary request, changed as asked. */
export function ask(deployment: Deployment, endpoint: Endpoint, order: Ask = {}): Promise<RawAnswer> {
  const model = order.model ?? slugWhere(endpoint.name, 'works');
  const fields = { ...endpoint.fields, ...order.fields };
  const isInPath = endpoint.path.includes('{model}');
  const whole = isInPath ? fields : { model, ...fields };
  const type = endpoint.body === 'json' ? { 'content-type': 'application/json' } : {};
  return request(deployment, pathOf(endpoint, model) + (order.query ?? ''), {
    method: 'POST',
    headers: { authorization: `Bearer ${order.key ?? KEYS.rules}`, ...type, ...order.headers },
    body: endpoint.body === 'json' ? JSON.stringify(whole) : writeForm(whole),
  });
}

export function pathOf({ path }: Endpoint, model: string): string {
  return path.replace('{model}', model);
}

/** A request without a body, or with a body as it stands. */
export function send(
  deployment: Deployment,
  method: string,
  path: string,
  { body, headers = {} }: { body?: RequestInit['body']; headers?: Readonly<Record<string, string>> } = {},
): Promise<RawAnswer> {
  const key = { authorization: `Bearer ${KEYS.rules}` };
  return request(deployment, path, {
    method,
    headers: { ...key, ...headers },
    ...omitUndefined({ body }),
  });
}

/** A PNG by its content, of so many bytes: what stands behind its end is no part of the image. */
export function png(bytes: number = PNG.length): Blob {
  const padded = new Uint8Array(bytes);
  padded.set(PNG);
  return new Blob([padded], { type: 'image/png' });
}

function json(
  number: number | undefined,
  name: BilledName,
  path: string,
  dialect: Dialect,
  fields: Endpoint['fields'],
): Endpoint {
  return omitUndefined({ number, name, path, dialect, body: 'json', fields });
}

function form(
  number: number | undefined,
  name: BilledName,
  path: string,
  fields: Endpoint['fields'],
): Endpoint {
  return omitUndefined({ number, name, path, dialect: 'openai', body: 'form', fields });
}

function writeForm(fields: Readonly<Record<string, unknown>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) data.set(name, value, `${name}.${value.type.split('/')[1] ?? 'bin'}`);
    else if (value !== undefined) data.set(name, String(value));
  }
  return data;
}
