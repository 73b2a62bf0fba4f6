import { isObject, type Json } from '../json.js';
import { countTextTokens } from '../tokens.js';
import type { Billed } from '../usage.js';

/** An answer of an endpoint that is asked once and answered once. */
export interface ExchangeAnswer {
  readonly status: number;
  /** Sent as JSON, unless there is a text. */
  readonly body?: unknown;
  readonly text?: string;
  readonly contentType?: string;
  readonly billed: Partial<Billed>;
}

type Answerer = (body: Json) => ExchangeAnswer;

/** Endpoints of embeddings and reranking, by the end of their path. */
const ANSWERERS: readonly (readonly [string, Answerer])[] = [
  [':batchEmbedContents', answerGeminiBatch],
  [':embedContent', answerGeminiOne],
  ['/v2/embed', answerCohere],
  ['/embeddings', answerOpenAi],
  ['/v2/rerank', answerRerank],
  ['/rerank', answerRerank],
  ['/moderations', answerModeration],
];

/** The fake's answer at a path of embeddings, reranking or moderation; `undefined` for any other path. */
export function findTextAnswerer(path: string): Answerer | undefined {
  return ANSWERERS.find(([end]) => path.endsWith(end))?.[1];
}

/** Numbers instead of base64, whatever was asked: as many servers in OpenAI's manner do. */
function answerOpenAi({ input, model }: Json): ExchangeAnswer {
  const inputs = Array.isArray(input) && typeof input[0] !== 'number' ? input : [input];
  const tokens = inputs.reduce((sum: number, one) => sum + countInput(one), 0);
  return {
    status: 200,
    body: {
      object: 'list',
      data: inputs.map((one, index) => ({ object: 'embedding', index, embedding: vectorOf(one) })),
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
    billed: { promptTokens: tokens },
  };
}

function answerGeminiBatch({ requests }: Json): ExchangeAnswer {
  const texts = Array.isArray(requests) ? requests.map((request) => JSON.stringify(request)) : [];
  return { status: 200, body: { embeddings: texts.map((text) => ({ values: vectorOf(text) })) }, billed: {} };
}

function answerGeminiOne({ content }: Json): ExchangeAnswer {
  return { status: 200, body: { embedding: { values: vectorOf(JSON.stringify(content)) } }, billed: {} };
}

function answerCohere({ texts }: Json): ExchangeAnswer {
  const inputs: readonly unknown[] = Array.isArray(texts) ? texts : [];
  const tokens = inputs.reduce((sum: number, text) => sum + countInput(text), 0);
  return {
    status: 200,
    body: { embeddings: { float: inputs.map(vectorOf) }, meta: { billed_units: { input_tokens: tokens } } },
    billed: { promptTokens: tokens },
  };
}

/** The last document first. */
function answerRerank({ documents, query }: Json): ExchangeAnswer {
  const texts: readonly unknown[] = Array.isArray(documents) ? documents : [];
  const tokens = texts.reduce((sum: number, text) => sum + countInput(text) + countInput(query), 0);
  const ranked = texts.map((_, index) => ({ index, relevance_score: (index + 1) / texts.length }));
  return {
    status: 200,
    body: { results: ranked.toReversed(), usage: { total_tokens: tokens } },
    billed: { promptTokens: tokens },
  };
}

function answerModeration({ model }: Json): ExchangeAnswer {
  return { status: 200, body: { id: 'modr-1', model, results: [{ flagged: false }] }, billed: {} };
}

function countInput(input: unknown): number {
  if (Array.isArray(input)) return input.length;
  if (isObject(input)) return countTextTokens(JSON.stringify(input));
  return countTextTokens(String(input));
}

/** Three numbers that tell one text from another, which may have 20 MB. */
function vectorOf(value: unknown): number[] {
  const text = String(value);
  let code = 0;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0;
    code += point;
    if (point > 0xffff) at++;
  }
  return [code, code / 2, -1];
}
