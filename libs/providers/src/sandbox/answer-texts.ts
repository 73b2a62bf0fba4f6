import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '@mg/protocols';
import type { ExchangeSurface } from '../descriptor.js';
import { answerJson, READ_CHARACTERS } from './limits.js';
import { replyInSteps, replyWith } from './reply.js';
import { countTokens } from './tokens.js';

const DEFAULT_DIMENSIONS = 256;
const MAX_DIMENSIONS = 4_096;

/** Vectors that say nothing but are always the same for the same text, and alike for texts that share words. */
const answerEmbeddings = answerJson(({ input, dimensions, model }) => {
  const length = typeof dimensions === 'number' ? Math.min(dimensions, MAX_DIMENSIONS) : DEFAULT_DIMENSIONS;
  const texts = listInputs(input);
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  const write = (text: string, index: number) =>
    JSON.stringify({ object: 'embedding', index, embedding: embed(text, length) });
  return replyInSteps(async function* () {
    yield '{"object":"list","data":[';
    for (const [index, text] of texts.entries()) yield (index === 0 ? '' : ',') + write(text, index);
    yield `],"model":${JSON.stringify(model)},"usage":${JSON.stringify(usage)}}`;
  });
});

/** Documents in the order of how many words they share with the question. */
const answerRerank = answerJson(({ query, documents, top_n: most, model }) => {
  const asked = wordsOf(String(query));
  const texts = Array.isArray(documents) ? documents.map(String) : [];
  return replyInSteps(async function* () {
    const scores: { index: number; relevance_score: number }[] = [];
    for (const [index, text] of texts.entries()) {
      scores.push({ index, relevance_score: shareOf(asked, wordsOf(text)) });
      yield '';
    }
    const ranked = scores.toSorted((a, b) => b.relevance_score - a.relevance_score);
    const tokens = texts.reduce((sum, text) => sum + countTokens(text) + countTokens(String(query)), 0);
    const results = typeof most === 'number' ? ranked.slice(0, most) : ranked;
    yield JSON.stringify({ model, results, usage: { total_tokens: tokens } });
  });
});

/** Flags one word only, so that both results can be seen. */
const answerModeration = answerJson(({ input, model }) => {
  return replyWith(200, {
    id: 'modr-sandbox',
    model: model ?? 'sandbox-moderation',
    results: listInputs(input).map((text) => {
      const flagged = /\bviolence\b/i.test(text);
      return {
        flagged,
        categories: { violence: flagged },
        category_scores: { violence: flagged ? 0.97 : 0.0001 },
      };
    }),
  });
});

/** What the sandbox does with texts beside chatting. */
export const textExchanges: readonly ExchangeSurface[] = [
  {
    operation: 'embeddings',
    protocol: 'openai-embeddings',
    path: () => '/embeddings',
    authorize: () => ({}),
    answer: answerEmbeddings,
  },
  {
    operation: 'rerank',
    protocol: 'jina-rerank',
    path: () => '/rerank',
    authorize: () => ({}),
    answer: answerRerank,
  },
  {
    operation: 'moderation',
    protocol: 'openai-moderations',
    path: () => '/moderations',
    authorize: () => ({}),
    answer: answerModeration,
  },
];

/** One text, several, or parts of which only the texts count. Token ids are as good as words here. */
function listInputs(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input)) return [];
  if (typeof input[0] === 'number') return [input.join(' ')];
  if (isObject(input[0])) return [input.map((part: JsonObject) => String(part.text ?? '')).join('\n')];
  return input.map((item: unknown) => (Array.isArray(item) ? item.join(' ') : String(item)));
}

/** The sum of one direction for each word, at unit length. */
function embed(text: string, length: number): number[] {
  const sum = new Float64Array(length);
  for (const word of wordsOf(text)) {
    const hash = createHash('sha256').update(word).digest();
    for (let at = 0; at < hash.length; at += 4) {
      const place = hash.readUInt16LE(at) % length;
      sum[place] = (sum[place] ?? 0) + (hash.readInt16LE(at + 2) >= 0 ? 1 : -1);
    }
  }
  const size = Math.hypot(...sum) || 1;
  return Array.from(sum, (value) => value / size);
}

/** Words of a text, of a long one those at its beginning. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .slice(0, READ_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [''],
  );
}

function shareOf(asked: ReadonlySet<string>, found: ReadonlySet<string>): number {
  return asked.size === 0 ? 0 : [...asked].filter((word) => found.has(word)).length / asked.size;
}
