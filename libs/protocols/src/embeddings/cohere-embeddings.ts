import { NO_USAGE, toCount, type Usage } from '@mg/contract';
import type { UpstreamAnswer } from '../exchange/exchange.js';
import { isObject } from '../json.js';
import { type LazyVector, makeOnce } from './embedding.js';
import { readVector, readVectorList } from './openai-embeddings.js';
import { defineTextEmbeddings } from './text-embeddings.js';

/**
 * Cohere's embeddings. It wants to know what the vectors are for; documents, unless the client says.
 *
 * @see https://docs.cohere.com/reference/embed
 */
export const cohereEmbeddingChannel = defineTextEmbeddings({
  maxTexts: 96,
  tasks: {
    RETRIEVAL_DOCUMENT: 'search_document',
    RETRIEVAL_QUERY: 'search_query',
    QUESTION_ANSWERING: 'search_query',
    CODE_RETRIEVAL_QUERY: 'search_query',
    CLASSIFICATION: 'classification',
    CLUSTERING: 'clustering',
  },
  defaultTask: 'search_document',
  write: ({ model, texts, task, dimensions }) => ({
    model,
    texts,
    input_type: task,
    embedding_types: ['float'],
    output_dimension: dimensions,
  }),
  decodeReply: (answers) => ({ vectors: answers.flatMap(readFloats), usage: sumBilled(answers) }),
});

function readFloats({ parsed }: UpstreamAnswer): LazyVector[] {
  const vectors = isObject(parsed?.embeddings) ? parsed.embeddings.float : undefined;
  return readVectorList(vectors).map((vector) => makeOnce(() => readVector(vector)));
}

function sumBilled(answers: readonly UpstreamAnswer[]): Usage | undefined {
  let inputTokens = 0;
  for (const { parsed } of answers) {
    const meta = isObject(parsed?.meta) ? parsed.meta : {};
    const tokens = toCount(isObject(meta.billed_units) ? meta.billed_units.input_tokens : undefined);
    if (tokens === 0) return undefined;
    inputTokens += tokens;
  }
  return { ...NO_USAGE, inputTokens };
}
