import { omitUndefined } from '@mg/contract';
import { isObject, type Json, listObjects, readText } from '@mg/testkit';
import {
  CHARACTER_PRICE,
  CHAT_PRICE,
  CONTEXT,
  costOfTokens,
  costOfUnits,
  EMBEDDING_PRICE,
  IMAGE_TOKEN_PRICE,
  LONGEST_ANSWER,
  MINUTE_PRICE,
  IMAGE_PRICE,
  REQUEST_PRICE,
  SECOND_PRICE,
} from './prices.js';
import {
  type ChatDialect,
  costOfReading,
  countPrediction,
  type MaximumUsage,
  readMaximumCost,
} from './read-maximum-cost.js';
import type { OverdrawCase } from './overdraw-case.js';
import { LAST_WORD, STREAMED_TOKENS, writeStream, type WrittenStream } from './write-stream.js';

export interface CostlyAnswer {
  readonly body: unknown;
  /** In nano-dollars. */
  readonly cost: bigint;
  /** Whether it only asks how an order goes. */
  readonly isPoll?: true;
  /** The answer as events, where those are asked for, and what it costs where the caller leaves before its end. */
  readonly stream?: WrittenStream & { readonly costWhenLeft: bigint; readonly costBefore: bigint };
}

type Answerer = (body: Json, trick: OverdrawCase) => CostlyAnswer;

/** Words that an answer has beside what its caller asked for, where a provider ignores that. */
const BEYOND_CAP = 10;

const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3_600;
const MS_PER_SECOND = 1_000;
/** Tokens of a large image of high quality, and of a preview of it. */
const TOKENS_PER_IMAGE = 6_240;
const TOKENS_PER_PREVIEW = 100;
const DOT = 'aGk=';
const LONGEST_VIDEO = 15;

const ANSWERERS: readonly (readonly [end: string, Answerer])[] = [
  ['/chat/completions', chat('chat', writeChat)],
  ['/completions', chat('completions', writeChat)],
  ['/responses', chat('responses', writeResponse)],
  ['/responses/compact', answerCompaction],
  ['/messages', chat('messages', writeMessage)],
  [':generateContent', chat('gemini', writeGemini)],
  [':streamGenerateContent', streamed(chat('gemini', writeGemini))],
  ['/cachedContents', answerCachedContent],
  ['mbeddings', answerEmbeddings],
  ['mbedContent', answerGeminiEmbedding],
  [':batchEmbedContents', answerGeminiEmbedding],
  ['/images/generations', answerImages],
  ['/images/edits', answerImages],
  ['/images/variations', answerImages],
  ['/audio/transcriptions', answerTranscription],
  ['/audio/translations', answerTranscription],
  ['/audio/speech', answerSpeech],
  ['/moderations', () => forRequest({ id: 'modr-1', model: 'm', results: [{ flagged: false }] })],
  ['/rerank', () => forRequest({ results: [{ index: 0, relevance_score: 1 }], usage: { total_tokens: 9 } })],
  ['/contents/generations/tasks', answerVideo],
  ['/videos', answerVideo],
];

/** The provider's answer and what it bills; `undefined` for a path that it does not have. */
export function answerAtMaximumCost(
  method: string,
  url: string,
  body: Json,
  trick: OverdrawCase,
): CostlyAnswer | undefined {
  const path = new URL(url, 'http://provider').pathname;
  if (method === 'GET') return pollVideo(path);
  return ANSWERERS.find(([end]) => path.endsWith(end))?.[1](body, trick);
}

/** A stream reports no usage where the trick says so, and costs what is seen of it. */
function chat(dialect: ChatDialect, write: (reading: MaximumUsage) => Json): Answerer {
  return (body, { promptTokens = CONTEXT, ignoresCap, tellsNothing = false }) => {
    const read = readMaximumCost(body, promptTokens, dialect);
    const reading = ignoresCap ? { ...read, outputTokens: read.outputTokens * BEYOND_CAP } : read;
    const costOf = (outputTokens: number) =>
      costOfReading({ ...reading, outputTokens }, dialect === 'messages');
    const whole = write(reading);
    const cost = costOf(tellsNothing ? STREAMED_TOKENS : reading.outputTokens);
    if (body['stream'] !== true) return { body: whole, cost };
    const rejected = countPrediction(body['prediction']);
    const written = writeStream(dialect, whole, promptTokens, !tellsNothing);
    const stream = { ...written, costWhenLeft: costOf(STREAMED_TOKENS + rejected), costBefore: costOf(0) };
    return { body: whole, cost, stream };
  };
}

/** Google's streams are asked for by their path. */
function streamed(answerer: Answerer): Answerer {
  return (body, trick) => answerer({ ...body, stream: true }, trick);
}

/** Nobody can limit how long a compaction is. */
function answerCompaction(body: Json, { promptTokens = CONTEXT }: OverdrawCase): CostlyAnswer {
  const tier = readText(body['service_tier']) || undefined;
  const reading: MaximumUsage = {
    promptTokens,
    outputTokens: LONGEST_ANSWER,
    webSearches: 0,
    fileSearches: 0,
    codeSessions: 0,
    tier,
  };
  const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' };
  const answer = { ...writeResponse(reading), object: 'response.compaction', output: [compaction] };
  return { body: answer, cost: costOfReading(reading, false) };
}

/** Storage is billed by the begun hour, for as long as any field says; a minute more is not one. */
function answerCachedContent(body: Json, { promptTokens = CONTEXT }: OverdrawCase): CostlyAnswer {
  const lasts = [body['ttl'], body['Ttl']].map((text) => Number.parseFloat(readText(text)) || 0);
  const ends = [body['expireTime'], body['expire_time']].map((text) => Date.parse(readText(text)) || 0);
  const seconds = Math.max(...lasts, ...ends.map((end) => (end - Date.now()) / MS_PER_SECOND));
  const hours = Math.max(1, Math.ceil((seconds - SECONDS_PER_MINUTE) / SECONDS_PER_HOUR));
  return {
    body: {
      name: 'cachedContents/upstream1',
      model: body['model'],
      createTime: '2026-11-25T12:00:00Z',
      updateTime: '2026-11-25T12:00:00Z',
      expireTime: '2026-11-25T13:01:00Z',
      usageMetadata: { totalTokenCount: promptTokens },
    },
    cost: costOfTokens(promptTokens * hours, CHAT_PRICE.cache_write_1h_per_million),
  };
}

function writeChat({ promptTokens, outputTokens, tier }: MaximumUsage): Json {
  return omitUndefined({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, text: 'ok', message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: outputTokens,
      total_tokens: promptTokens + outputTokens,
    },
    service_tier: tier,
  });
}

function writeResponse(reading: MaximumUsage): Json {
  const { promptTokens, outputTokens, webSearches, fileSearches, codeSessions, tier } = reading;
  const repeat = (count: number, item: object) =>
    Array.from({ length: count }, (_, index) => ({ id: `x_${index}`, status: 'completed', ...item }));
  return omitUndefined({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    output: [
      ...repeat(webSearches, { type: 'web_search_call', action: { type: 'search', query: 'q' } }),
      ...repeat(fileSearches, { type: 'file_search_call', queries: ['q'] }),
      ...repeat(codeSessions, { type: 'code_interpreter_call', container_id: 'c', code: '', outputs: [] }),
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'ok', annotations: [] }],
      },
    ],
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + outputTokens,
    },
    service_tier: tier,
  });
}

/** The whole prompt is written to the cache for an hour, which is the most expensive kind of input. */
function writeMessage({ promptTokens, outputTokens, webSearches, codeSessions }: MaximumUsage): Json {
  return omitUndefined({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    container: codeSessions > 0 ? { id: 'container_1', expires_at: '2027-01-01T00:00:00Z' } : undefined,
    usage: {
      input_tokens: 0,
      cache_creation_input_tokens: promptTokens,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: promptTokens },
      output_tokens: outputTokens,
      server_tool_use: { web_search_requests: webSearches },
    },
  });
}

function writeGemini({ promptTokens, outputTokens, webSearches }: MaximumUsage): Json {
  const webSearchQueries = Array.from({ length: webSearches }, (_, index) => `query ${index}`);
  return {
    candidates: [
      omitUndefined({
        index: 0,
        content: { role: 'model', parts: [{ text: 'ok' }] },
        finishReason: 'STOP',
        groundingMetadata: webSearches > 0 ? { webSearchQueries } : undefined,
      }),
    ],
    modelVersion: 'gemini-3.5-flash',
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: promptTokens + outputTokens,
    },
  };
}

function answerEmbeddings({ input }: Json, { promptTokens = 0 }: OverdrawCase): CostlyAnswer {
  const count = Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
  const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding: [1] }));
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
  return {
    body: { object: 'list', model: 'm', data, usage },
    cost: costOfTokens(promptTokens, EMBEDDING_PRICE.input_per_million),
  };
}

function answerGeminiEmbedding(body: Json, { promptTokens = 0 }: OverdrawCase): CostlyAnswer {
  const requests = listObjects(body['requests']);
  const usageMetadata = { promptTokenCount: promptTokens, totalTokenCount: promptTokens };
  const reply =
    requests.length > 0
      ? { embeddings: requests.map(() => ({ values: [1] })) }
      : { embedding: { values: [1] } };
  return {
    body: { ...reply, usageMetadata },
    cost: costOfTokens(promptTokens, EMBEDDING_PRICE.input_per_million),
  };
}

function answerImages(body: Json, trick: OverdrawCase): CostlyAnswer {
  const count = Number(body['n'] ?? 1);
  const data = Array.from({ length: count }, () => ({ b64_json: DOT }));
  if (trick.model === 'draw' || trick.model === 'vary') {
    return { body: { created: 1, data }, cost: costOfUnits(count, costliestImage(body)) };
  }
  const inputTokens = trick.promptTokens ?? 0;
  const previews = Number(body['partial_images'] ?? 0);
  const perImage = TOKENS_PER_IMAGE + previews * TOKENS_PER_PREVIEW;
  const costOf = (images: number) =>
    costOfTokens(inputTokens, IMAGE_TOKEN_PRICE.image_input_per_million) +
    costOfTokens(images * perImage, IMAGE_TOKEN_PRICE.output_per_million);
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { image_tokens: inputTokens, text_tokens: 0 },
    output_tokens: count * perImage,
  };
  const answer = { body: { created: 1, data, usage }, cost: costOf(count) };
  if (String(body['stream']) !== 'true') return answer;
  // What is drawn is billed, whoever looks at it.
  const left = { costWhenLeft: costOf(count), costBefore: costOf(count) };
  return {
    ...answer,
    stream: { ...writeImages(body, count, { ...usage, output_tokens: perImage }), ...left },
  };
}

function writeImages(body: Json, count: number, usage: Json): WrittenStream {
  const kind = body['image'] === undefined ? 'image_generation' : 'image_edit';
  const facts = { b64_json: DOT, created_at: 1, background: 'opaque' };
  const say = (type: string, more: Json) =>
    `event: ${kind}.${type}\ndata: ${JSON.stringify({ type: `${kind}.${type}`, ...facts, ...more })}\n\n`;
  const previews = Array.from({ length: Number(body['partial_images'] ?? 0) }, (_, index) =>
    say('partial_image', { partial_image_index: index }),
  );
  const wholes = Array.from({ length: count }, () => say('completed', { usage }));
  return { begin: `${previews.join('')}: ${LAST_WORD}\n\n`, end: wholes.join('') };
}

/** What the request leaves to the provider is made as expensive as possible; what it does not say, as the provider usually does. */
function costliestImage(body: Json): string {
  const { per_image: own, variants } = IMAGE_PRICE;
  const size = readText(body['size']);
  const quality = readText(body['quality']);
  const isOpen = (text: string) => text === 'auto';
  const prices = Object.entries(variants).flatMap(([name, { per_image: price }]) => {
    const parts = name.split('/');
    const ofSize = parts.find((part) => part.includes('x'));
    const ofQuality = parts.find((part) => !part.includes('x'));
    const fits =
      (ofSize === undefined || isOpen(size) || size === ofSize) &&
      (ofQuality === undefined || isOpen(quality) || quality === ofQuality);
    return fits ? [price] : [];
  });
  const fallback = quality === 'low' ? [] : [own];
  return [...prices, ...fallback].toSorted((a, b) => Number(b) - Number(a))[0] ?? own;
}

/** @returns usage in seconds; `promptTokens` of the trick stands for the seconds that the recording has. */
function answerTranscription(_form: Json, { promptTokens: seconds = 0 }: OverdrawCase): CostlyAnswer {
  const cost = costOfUnits(seconds, MINUTE_PRICE.per_minute) / BigInt(SECONDS_PER_MINUTE);
  return { body: { text: 'ok', usage: { type: 'duration', seconds } }, cost };
}

function answerSpeech({ input }: Json): CostlyAnswer {
  const characters = [...readText(input)].length;
  return {
    body: Buffer.from('ID3'),
    cost: costOfTokens(characters, CHARACTER_PRICE.per_million_characters),
  };
}

function forRequest(body: unknown): CostlyAnswer {
  return { body, cost: costOfUnits(1, REQUEST_PRICE.per_request) };
}

/** The longest that any field or option says, at the most expensive resolution that any allows. */
function answerVideo(body: Json): CostlyAnswer {
  const texts = [
    ...listObjects(body['content']).map((part) => readText(part['text'])),
    readText(body['prompt']),
  ];
  const all = texts.join(' ');
  const flags = [...all.matchAll(/--(?:dur|duration)[ =]+(\d+)/gi)].map((match) => Number(match[1]));
  const said = [body['duration'], body['seconds']].map(Number).filter((value) => value > 0);
  const seconds = said.length + flags.length === 0 ? LONGEST_VIDEO : Math.max(...said, ...flags);
  const isLarge = JSON.stringify([body['resolution'], body['size'], all]).includes('1080');
  const isFromVideo = listObjects(body['content']).some((part) => isObject(part['video_url']));
  const rate = isFromVideo
    ? SECOND_PRICE.variants.video
    : isLarge
      ? SECOND_PRICE.variants['1080p']
      : SECOND_PRICE;
  return { body: { id: 'cgt-1', status: 'queued' }, cost: costOfUnits(seconds, rate.per_second) };
}

/** Every film is done at once. */
function pollVideo(path: string): CostlyAnswer {
  const status = path.includes('/contents/') ? 'succeeded' : 'completed';
  const content = { video_url: 'https://films.example/1.mp4' };
  return { body: { id: path.split('/').at(-1), status, content }, cost: 0n, isPoll: true };
}
