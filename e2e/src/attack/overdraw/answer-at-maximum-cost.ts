import { omitUndefined } from '@mg/contract';
import { isObject, type Json, listObjects, readText } from '@mg/testkit';
import {
  CHARACTER_PRICE,
  CONTEXT,
  costOfTokens,
  costOfUnits,
  EMBEDDING_PRICE,
  IMAGE_TOKEN_PRICE,
  MINUTE_PRICE,
  IMAGE_PRICE,
  REQUEST_PRICE,
  SECOND_PRICE,
} from './prices.js';
import { type ChatDialect, costOfReading, type MaximumUsage, readMaximumCost } from './read-maximum-cost.js';
import type { OverdrawCase } from './overdraw-case.js';

export interface CostlyAnswer {
  readonly body: unknown;
  /** In nano-dollars. */
  readonly cost: bigint;
  /** Whether it only asks how an order goes. */
  readonly isPoll?: true;
}

type Answerer = (body: Json, trick: OverdrawCase) => CostlyAnswer;

const SECONDS_PER_MINUTE = 60;
/** Tokens of a large image of high quality. */
const TOKENS_PER_IMAGE = 6_240;
const LONGEST_VIDEO = 15;

const ANSWERERS: readonly (readonly [end: string, Answerer])[] = [
  ['/chat/completions', chat('chat', writeChat)],
  ['/completions', chat('completions', writeChat)],
  ['/responses', chat('responses', writeResponse)],
  ['/messages', chat('messages', writeMessage)],
  [':generateContent', chat('gemini', writeGemini)],
  ['mbeddings', answerEmbeddings],
  ['mbedContent', answerGeminiEmbedding],
  [':batchEmbedContents', answerGeminiEmbedding],
  ['/images/generations', answerImages],
  ['/images/edits', answerImages],
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

function chat(dialect: ChatDialect, write: (reading: MaximumUsage) => unknown): Answerer {
  return (body, { promptTokens = CONTEXT }) => {
    const reading = readMaximumCost(body, promptTokens, dialect);
    return { body: write(reading), cost: costOfReading(reading, dialect === 'messages') };
  };
}

function writeChat({ promptTokens, outputTokens, tier }: MaximumUsage): unknown {
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

function writeResponse(reading: MaximumUsage): unknown {
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
function writeMessage({ promptTokens, outputTokens, webSearches, codeSessions }: MaximumUsage): unknown {
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

function writeGemini({ promptTokens, outputTokens, webSearches }: MaximumUsage): unknown {
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
  const data = Array.from({ length: count }, () => ({ b64_json: 'aGk=' }));
  if (trick.model === 'draw') {
    return { body: { created: 1, data }, cost: costOfUnits(count, costliestImage(body)) };
  }
  const inputTokens = trick.promptTokens ?? 0;
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { image_tokens: inputTokens, text_tokens: 0 },
    output_tokens: count * TOKENS_PER_IMAGE,
  };
  const cost =
    costOfTokens(inputTokens, IMAGE_TOKEN_PRICE.image_input_per_million) +
    costOfTokens(usage.output_tokens, IMAGE_TOKEN_PRICE.output_per_million);
  return { body: { created: 1, data, usage }, cost };
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
