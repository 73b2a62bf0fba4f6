import { NO_USAGE, type Usage } from '@mg/contract';
import { checkCount, checkList, checkObject, checkText } from '../canonical/check-fields.js';
import type { Dropped } from '../canonical/codec.js';
import { throwUpstreamError, refuseField } from '../canonical/refuse.js';
import type { ChannelFormat, ClientFormat } from '../exchange/create-exchange.js';
import type { ExchangeBody, OutgoingBody, UpstreamAnswer } from '../exchange/exchange.js';
import { answerJson, writeJson } from '../exchange/write-json.js';
import { parseGeminiError } from '../canonical/google-error.js';
import { readGeminiUsage } from '../gemini-generate/read-usage.js';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import {
  EMBEDDING_TASKS,
  type EmbeddingInputs,
  type EmbeddingReply,
  type EmbeddingRequest,
  type EmbeddingTask,
  type LazyVector,
  makeOnce,
  needTexts,
  splitIntoLots,
} from './embedding.js';
import { readVector, readVectorList } from './openai-embeddings.js';
import { batchEmbedContentsRequest, MAX_INPUTS } from './request-schema.js';

/** Most texts of one batch. */
const MAX_TEXTS = 100;

/**
 * Most tokens of one content: what the models that embed media read of it.
 *
 * @see https://ai.google.dev/gemini-api/docs/embeddings
 */
const MOST_CONTENT_TOKENS = 8_192;

/** Most characters of all contents of several parts, whose texts are joined in one step: a hundred of them may be as long as models read. */
const MOST_JOINED = 3 * 1024 * 1024;

const TASKS: ReadonlySet<string> = new Set(EMBEDDING_TASKS);

/** Reads the body of `:embedContent`. @throws GatewayError `invalid_request` naming the field. */
export function readEmbedContent(body: JsonObject, model: string): EmbeddingRequest {
  const { text, ...options } = readOne(body, '');
  return { model, inputs: toInputs([text]), ...options, encoding: 'float', user: undefined };
}

/**
 * Reads the body of `:batchEmbedContents`. One answer has vectors of one length, so all requests must agree on it; what
 * they are for may differ.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://ai.google.dev/api/embeddings
 */
export function readBatchEmbedContents(body: JsonObject, model: string): EmbeddingRequest {
  validate(batchEmbedContentsRequest, body);
  if (Array.isArray(body.requests) && body.requests.length > MAX_INPUTS) {
    refuseField('requests', `must hold at most ${MAX_INPUTS} requests`);
  }
  const texts = new ContentTexts();
  const requests = checkList(body, 'requests').map((item, index) => {
    const name = `requests[${index}]`;
    return { name, ...readOne(isObject(item) ? item : refuseField(name, 'must be an object'), name, texts) };
  });
  const [first] = requests;
  if (!first) return refuseField('requests', 'must not be empty');
  for (const { name, dimensions } of requests) {
    if (dimensions !== first.dimensions)
      refuseField(`${name}.outputDimensionality`, 'must be the same for every request');
  }
  return {
    model,
    inputs: toInputs(requests.map((request) => request.text)),
    dimensions: first.dimensions,
    task: requests.every(({ task }) => task === first.task) ? first.task : 'mixed',
    encoding: 'float',
    user: undefined,
  };
}

interface OneRequest {
  /** `undefined` when there are parts that are no text. */
  readonly text: string | undefined;
  readonly dimensions: number | undefined;
  readonly task: EmbeddingTask | undefined;
}

/** Joins the texts of contents, up to a limit for all of them. */
class ContentTexts {
  #joined = 0;

  /** @throws GatewayError `invalid_request` naming the content. */
  join(texts: readonly string[], name: string): string {
    const [only = ''] = texts;
    if (texts.length === 1) return only;
    for (const { length } of texts) this.#joined += length;
    if (this.#joined > MOST_JOINED) {
      refuseField(name, `makes the contents of several parts longer than ${MOST_JOINED} characters`);
    }
    return texts.join('\n');
  }
}

function readOne(request: JsonObject, path: string, joined = new ContentTexts()): OneRequest {
  const within = (key: string) => (path === '' ? key : `${path}.${key}`);
  const content = checkObject(request, 'content', path);
  if (!content) return refuseField(within('content'), 'must be an object');
  const text = readText(content, within('content'), joined);
  const own = readOptions(request, path);
  const config = checkObject(request, 'embedContentConfig', path);
  const { dimensions, task } = config ? readOptions(config, path) : own;
  return { text, dimensions, task };
}

/** Contents hold tens of thousands of parts, so none gets a name unless it is refused. */
function readText(content: JsonObject, name: string, joined: ContentTexts): string | undefined {
  const parts = checkList(content, 'parts', name);
  if (parts.length === 0) refuseField(`${name}.parts`, 'must not be empty');
  const texts: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (!isObject(part)) return refuseField(`${name}.parts[${index}]`, 'must be an object');
    const { text } = part;
    if (typeof text === 'string') texts.push(text);
    else if (text !== undefined && text !== null) {
      refuseField(`${name}.parts[${index}].text`, 'must be a string');
    }
  }
  return texts.length < parts.length ? undefined : joined.join(texts, name);
}

function readOptions(options: JsonObject, path: string): Pick<OneRequest, 'dimensions' | 'task'> {
  const task = checkText(options, 'taskType', path) ?? checkText(options, 'task_type', path);
  if (task !== undefined && task !== 'TASK_TYPE_UNSPECIFIED' && !TASKS.has(task)) {
    refuseField(path === '' ? 'taskType' : `${path}.taskType`, 'is not a known task');
  }
  return {
    dimensions:
      checkCount(options, 'outputDimensionality', path) ?? checkCount(options, 'output_dimensionality', path),
    task: task !== undefined && TASKS.has(task) ? (task as EmbeddingTask) : undefined,
  };
}

/** The bytes of media say nothing of their tokens, but no content has more than the model reads. */
function toInputs(texts: readonly (string | undefined)[]): EmbeddingInputs {
  if (texts.every((text) => text !== undefined)) return { kind: 'texts', texts };
  const mostTokens = texts.reduce(
    (sum, text) => sum + (text === undefined ? MOST_CONTENT_TOKENS : Buffer.byteLength(text)),
    0,
  );
  return { kind: 'media', mostTokens };
}

/** `:embedContent` towards clients. */
export const embedContentClient: ClientFormat<EmbeddingRequest, EmbeddingReply> = {
  protocol: 'gemini-embed',
  rename: renameResources,
  encodeReply: ({ vectors }) => answerJson({ embedding: { values: vectors[0]?.() ?? [] } }),
};

/** `:batchEmbedContents` towards clients. */
export const batchEmbedContentsClient: ClientFormat<EmbeddingRequest, EmbeddingReply> = {
  protocol: 'gemini-batch-embed',
  rename: renameResources,
  encodeReply: ({ vectors }) => answerJson({ embeddings: vectors.map(writeValues) }),
};

function writeValues(readVector: LazyVector) {
  return {
    get values() {
      return readVector();
    },
  };
}

/** A Gemini body names its model in the path and again in each request. */
function renameResources(body: ExchangeBody, model: string): OutgoingBody {
  if (body.kind === 'form') return refuseField('body', 'must be JSON');
  const name = `models/${model}`;
  const rename = (request: unknown) =>
    isObject(request) && request.model !== undefined ? { ...request, model: name } : request;
  const { requests } = body.parsed;
  return Array.isArray(requests)
    ? writeJson({ ...body.parsed, requests: requests.map(rename) })
    : writeJson(rename(body.parsed) as JsonObject);
}

/** `:batchEmbedContents` towards channels. */
export const batchEmbedContentsChannel: ChannelFormat<EmbeddingRequest, EmbeddingReply> = {
  encodeRequest: ({ inputs, dimensions, task, user }, { model, channelType, dropped, traits }) => {
    if (user !== undefined) dropped.add('user');
    return splitIntoLots(needTexts(inputs, channelType), traits.maxInputs ?? MAX_TEXTS).map((texts) =>
      writeJson({
        requests: texts.map((text) => ({
          model: `models/${model}`,
          content: { parts: [{ text }] },
          taskType: nameTask(task, dropped),
          outputDimensionality: dimensions,
        })),
      }),
    );
  },
  decodeReply: (answers, { dimensions }) => {
    const vectors = answers.flatMap(({ parsed }) =>
      readVectorList(parsed?.embeddings).map((item) => readValues(item, dimensions)),
    );
    return { vectors, usage: readUsage(answers) };
  },
  parseUpstreamError: parseGeminiError,
};

/** `:embedContent` towards channels, for clients who asked that way and in batches: one text, one vector. */
export const embedContentChannel: ChannelFormat<EmbeddingRequest, EmbeddingReply> = {
  encodeRequest: ({ inputs, dimensions, task, user }, { channelType, dropped }) => {
    if (user !== undefined) dropped.add('user');
    return needTexts(inputs, channelType).map((text) =>
      writeJson({
        content: { parts: [{ text }] },
        taskType: nameTask(task, dropped),
        outputDimensionality: dimensions,
      }),
    );
  },
  decodeReply: (answers, { dimensions }) => {
    const vectors = answers.map(({ parsed }) => readValues(parsed?.embedding, dimensions));
    return { vectors, usage: readUsage(answers) };
  },
  parseUpstreamError: parseGeminiError,
};

/** Texts for different purposes reach such a channel in the client's own bytes; written again they would lose them. */
function nameTask(task: EmbeddingRequest['task'], dropped: Dropped): EmbeddingTask | undefined {
  if (task !== 'mixed') return task;
  dropped.add('taskType');
  return undefined;
}

/** The tokens of all answers; `undefined` unless every one of them reports its own. */
function readUsage(answers: readonly UpstreamAnswer[]): Usage | undefined {
  const reported = answers.flatMap(({ parsed }) => readTokens(parsed) ?? []);
  if (reported.length === 0 || reported.length < answers.length) return undefined;
  return { ...NO_USAGE, inputTokens: reported.reduce((sum, tokens) => sum + tokens, 0) };
}

/** In batches an answer has `tokenCount`, an integer as a text. */
function readTokens({ usageMetadata, tokenCount }: JsonObject = {}): number | undefined {
  const usage = readGeminiUsage(usageMetadata);
  if (usage) return usage.inputTokens;
  return typeof tokenCount === 'string' && /^\d{1,15}$/.test(tokenCount) ? Number(tokenCount) : undefined;
}

/** @param dimensions that the caller asked for. */
function readValues(item: unknown, dimensions: number | undefined): LazyVector {
  const values = isObject(item) ? item.values : undefined;
  // At once: the bytes of an answer may be passed on with nobody reading its vectors.
  if (!Array.isArray(values)) throwUpstreamError('The upstream answered without embeddings.');
  return makeOnce(() => {
    const vector = readVector(values);
    return dimensions === undefined ? vector : toUnitLength(vector);
  });
}

/** Shortened vectors of Gemini are not normalised, and clients of OpenAI's protocol take unit length for granted. */
function toUnitLength(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
