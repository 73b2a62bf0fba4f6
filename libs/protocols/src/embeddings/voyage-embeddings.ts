import { readVectors, sumUsage } from './openai-embeddings.js';
import { defineTextEmbeddings } from './text-embeddings.js';

/**
 * Voyage's embeddings: answered as OpenAI does, with request fields of its own.
 *
 * @see https://docs.voyageai.com/reference/embeddings-api
 */
export const voyageEmbeddingChannel = defineTextEmbeddings({
  maxTexts: 1_000,
  tasks: {
    RETRIEVAL_QUERY: 'query',
    QUESTION_ANSWERING: 'query',
    CODE_RETRIEVAL_QUERY: 'query',
    RETRIEVAL_DOCUMENT: 'document',
  },
  write: ({ model, texts, task, dimensions }) => ({
    model,
    input: texts,
    input_type: task,
    output_dimension: dimensions,
  }),
  decodeReply: (answers) => ({ vectors: answers.flatMap(readVectors), usage: sumUsage(answers) }),
});
