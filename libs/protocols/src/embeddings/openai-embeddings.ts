import { isPlausible, NO_USAGE, toCount, type Usage } from '@mg/contract';
import { throwUpstreamError, refuseField } from '../canonical/refuse.js';
import type { ChannelFormat, ClientFormat } from '../exchange/create-exchange.js';
import type { UpstreamAnswer } from '../exchange/exchange.js';
import { answerJson, writeJson } from '../exchange/write-json.js';
import { isObject, type JsonObject } from '../json.js';
import { parseOpenAiError } from '../openai-chat/errors.js';
import { isTokenId } from '../schema/fields.js';
import { validate } from '../schema/validate.js';
import {
  decodeVector,
  type EmbeddingInputs,
  type EmbeddingReply,
  type EmbeddingRequest,
  encodeVector,
  type LazyVector,
  makeOnce,
  needTexts,
  splitIntoLots,
} from './embedding.js';
import { embeddingRequest, MAX_INPUTS } from './request-schema.js';

/** Numbers of a vector; models have some thousands. */
const MOST_DIMENSIONS = 65_536;
/** Characters of base64 that four bytes take, rounded up. */
const MOST_CHARACTERS = 6;

/**
 * Reads `POST /v1/embeddings`.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://platform.openai.com/docs/api-reference/embeddings/create
 */
export function readOpenAiEmbeddingRequest(body: JsonObject): EmbeddingRequest {
  const fields = validate(embeddingRequest, body);
  return {
    model: fields.model,
    inputs: readInputs(fields.input),
    dimensions: fields.dimensions ?? undefined,
    encoding: fields.encoding_format ?? 'float',
    task: undefined,
    user: fields.user ?? undefined,
  };
}

/** The type of the first element decides: texts, or token ids of one or several inputs. */
function readInputs(input: unknown): EmbeddingInputs {
  if (typeof input === 'string') return readTexts([input], () => 'input');
  if (!Array.isArray(input)) refuseField('input', 'must be a string or an array');
  if (input.length === 0) refuseField('input', 'must not be empty');
  if (typeof input[0] === 'number') return { kind: 'tokens', lists: [readTokens(input, 'input')] };
  if (input.length > MAX_INPUTS) refuseField('input', `must hold at most ${MAX_INPUTS} items`);
  if (typeof input[0] === 'string') return readTexts(input, (index) => `input[${index}]`);
  return { kind: 'tokens', lists: input.map((list, index) => readTokens(list, `input[${index}]`)) };
}

function readTexts(input: readonly unknown[], nameAt: (index: number) => string): EmbeddingInputs {
  const texts = input.map((text, index) => {
    if (typeof text !== 'string') refuseField(nameAt(index), 'must be a string');
    return text === '' ? refuseField(nameAt(index), 'must not be empty') : text;
  });
  return { kind: 'texts', texts };
}

/** The list itself: copying 300,000 numbers one by one takes ten milliseconds, looking at them one. */
function readTokens(list: unknown, name: string): readonly number[] {
  if (!Array.isArray(list) || list.length === 0) refuseField(name, 'must be a string or an array of tokens');
  for (let index = 0; index < list.length; index++) {
    if (!isTokenId(list[index])) refuseField(`${name}[${index}]`, 'must be a token id');
  }
  return list as number[];
}

/** OpenAI's embeddings towards clients. */
export const openAiEmbeddingClient: ClientFormat<EmbeddingRequest, EmbeddingReply> = {
  protocol: 'openai-embeddings',
  encodeReply: ({ vectors, usage }, request) => {
    const tokens = usage?.inputTokens ?? 0;
    const body = {
      object: 'list',
      data: vectors.map((read, index) => {
        const write = request.encoding === 'base64' ? makeOnce(() => encodeVector(read())) : read;
        return {
          object: 'embedding',
          index,
          get embedding() {
            return write();
          },
        };
      }),
      model: request.model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    };
    return answerJson(body);
  },
  // Upstreams that do not know the field answer numbers, which an SDK that asked for base64 would decode to nonsense.
  fits: ({ parsed }, { encoding }) => {
    const [first] = Array.isArray(parsed?.data) ? (parsed.data as unknown[]) : [];
    return !isObject(first) || typeof first.embedding === (encoding === 'base64' ? 'string' : 'object');
  },
};

/** OpenAI's embeddings towards channels: OpenAI itself and those who look like it. */
export const openAiEmbeddingChannel: ChannelFormat<EmbeddingRequest, EmbeddingReply> = {
  encodeRequest: ({ inputs, dimensions, user, task }, { model, traits, channelType, dropped }) => {
    if (task !== undefined) dropped.add('taskType');
    const items = inputs.kind === 'tokens' ? inputs.lists : needTexts(inputs, channelType);
    return splitIntoLots<string | readonly number[]>(items, traits.maxInputs).map((input) =>
      writeJson({ model, input, encoding_format: 'float', dimensions, user }),
    );
  },
  decodeReply: (answers) => ({ vectors: answers.flatMap(readVectors), usage: sumUsage(answers) }),
  parseUpstreamError: parseOpenAiError,
};

/** Vectors of `data`, in the order of their `index`. */
export function readVectors(answer: UpstreamAnswer): LazyVector[] {
  return listItems(answer)
    .map(({ index, embedding }, place) => ({
      index: typeof index === 'number' ? index : place,
      read: makeOnce(() => readVector(embedding)),
    }))
    .toSorted((one, other) => one.index - other.index)
    .map(({ read }) => read);
}

/** The items of `data`, each with numbers or base64. @throws GatewayError `upstream_error` */
function listItems({ parsed }: UpstreamAnswer): readonly JsonObject[] {
  return readVectorList(parsed?.data).map((item) =>
    isObject(item) && (typeof item.embedding === 'string' || Array.isArray(item.embedding))
      ? item
      : throwUpstreamError('The upstream answered with an embedding that is no vector.'),
  );
}

/** The vectors of one answer. @throws GatewayError `upstream_error` where there are more than a request can ask for. */
export function readVectorList(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) return throwUpstreamError('The upstream answered without embeddings.');
  return list.length <= MAX_INPUTS
    ? list
    : throwUpstreamError('The upstream answered with more embeddings than can be asked for.');
}

/** Numbers, or base64 of them. @throws GatewayError `upstream_error` */
export function readVector(embedding: unknown): number[] {
  const isShort = typeof embedding !== 'string' || embedding.length <= MOST_DIMENSIONS * MOST_CHARACTERS;
  const vector = typeof embedding === 'string' && isShort ? decodeVector(embedding) : embedding;
  const isVector = Array.isArray(vector) && vector.length <= MOST_DIMENSIONS;
  if (isVector && vector.every((value) => typeof value === 'number')) return vector;
  return throwUpstreamError('The upstream answered with an embedding that is no vector.');
}

/** One call's usage over all its answers; `undefined` when one of them reports none. */
export function sumUsage(answers: readonly UpstreamAnswer[]): Usage | undefined {
  let inputTokens = 0;
  for (const { parsed } of answers) {
    const usage = isObject(parsed?.usage) ? parsed.usage : {};
    const reported = usage.prompt_tokens ?? usage.total_tokens;
    const tokens = toCount(reported);
    if (tokens === 0 || !isPlausible(reported)) return undefined;
    inputTokens += tokens;
  }
  return { ...NO_USAGE, inputTokens };
}
