import { isPlausible, NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { throwUpstreamError } from '../canonical/refuse.js';
import type { ChannelFormat, ClientFormat } from '../exchange/create-exchange.js';
import type { UpstreamAnswer } from '../exchange/exchange.js';
import { answerJson, writeJson } from '../exchange/write-json.js';
import { isObject } from '../json.js';
import { parseOpenAiError } from '../openai-chat/errors.js';
import type { RankedDocument, RerankReply, RerankRequest } from './rerank.js';

/** Towards clients. */
export const jinaRerankClient: ClientFormat<RerankRequest, RerankReply> = {
  protocol: 'jina-rerank',
  encodeReply: ({ ranked, usage }, { model, documents, returnDocuments }) =>
    answerJson({
      model,
      results: ranked.map(({ index, score }) =>
        omitUndefined({
          index,
          relevance_score: score,
          document: returnDocuments ? { text: documents[index] ?? '' } : undefined,
        }),
      ),
      usage: { total_tokens: usage?.inputTokens ?? 0 },
    }),
};

/** Jina, vLLM and others: `results` with `relevance_score`, tokens in `usage`. */
export const jinaRerankChannel: ChannelFormat<RerankRequest, RerankReply> = {
  encodeRequest: ({ query, documents, topN }, { model }) => [
    writeJson({ model, query, documents, top_n: topN, return_documents: false }),
  ],
  decodeReply: readReply('results'),
  parseUpstreamError: parseOpenAiError,
};

/** Cohere: the same, billed by searches, which its answer reports in place of tokens. @see https://docs.cohere.com/reference/rerank */
export const cohereRerankChannel: ChannelFormat<RerankRequest, RerankReply> = {
  encodeRequest: ({ query, documents, topN }, { model }) => [
    writeJson({ model, query, documents, top_n: topN }),
  ],
  decodeReply: readReply('results'),
  parseUpstreamError: parseOpenAiError,
};

/** Voyage: `top_k` and `data`. @see https://docs.voyageai.com/reference/reranker-api */
export const voyageRerankChannel: ChannelFormat<RerankRequest, RerankReply> = {
  encodeRequest: ({ query, documents, topN }, { model }) => [
    writeJson({ model, query, documents, top_k: topN }),
  ],
  decodeReply: readReply('data'),
  parseUpstreamError: parseOpenAiError,
};

function readReply(list: 'results' | 'data') {
  return ([answer]: readonly UpstreamAnswer[], { documents }: RerankRequest): RerankReply => {
    const items = answer?.parsed?.[list];
    if (!Array.isArray(items)) return throwUpstreamError('The upstream answered without a ranking.');
    if (items.length > documents.length) {
      return throwUpstreamError('The upstream answered with more documents than it was asked about.');
    }
    return { ranked: items.map(readRanked), usage: readUsage(answer) };
  };
}

function readRanked(item: unknown): RankedDocument {
  if (isObject(item) && typeof item.index === 'number' && typeof item.relevance_score === 'number') {
    return { index: item.index, score: item.relevance_score };
  }
  return throwUpstreamError('The upstream answered with a ranking that cannot be read.');
}

function readUsage(answer: UpstreamAnswer | undefined): Usage | undefined {
  const usage = isObject(answer?.parsed?.usage) ? answer.parsed.usage : {};
  const reported = usage.total_tokens ?? usage.prompt_tokens;
  const inputTokens = toCount(reported);
  return inputTokens > 0 && isPlausible(reported) ? { ...NO_USAGE, inputTokens } : undefined;
}
