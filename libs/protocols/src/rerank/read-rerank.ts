import { NO_USAGE } from '@mg/contract';
import { checkList } from '../canonical/check-fields.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { boundBytes } from '../exchange/bound-bytes.js';
import { createExchange } from '../exchange/create-exchange.js';
import type { Exchange } from '../exchange/exchange.js';
import { isObject, type JsonObject } from '../json.js';
import { cohereRerankChannel, jinaRerankChannel, jinaRerankClient, voyageRerankChannel } from './formats.js';
import { validate } from '../schema/validate.js';
import { MAX_DOCUMENTS, rerankRequest } from './request-schema.js';
import type { RerankRequest } from './rerank.js';

/** Tokens that tokenizers add around a text. */
const FRAMING_TOKENS = 8;

/**
 * A call of `POST /v1/rerank`, as Jina, Cohere and most servers of open models have it.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://api.jina.ai/redoc
 */
export function readRerank(bytes: Buffer): Exchange {
  const parsed = parseRequestBody(bytes);
  const request = readRequest(parsed);
  const texts = [request.query, ...request.documents];
  // The question is read again with each document.
  const queries = boundBytes([request.query], bytes.length) * Math.max(0, request.documents.length - 1);
  const tokens = queries + boundBytes(texts, bytes.length) + texts.length * FRAMING_TOKENS;
  return createExchange({
    operation: 'rerank',
    kind: 'rerank',
    model: request.model,
    stream: false,
    bound: { ...NO_USAGE, inputTokens: tokens },
    priceVariants: [],
    estimate: NO_USAGE,
    promptTexts: texts,
    body: { kind: 'json', bytes, parsed },
    request,
    client: jinaRerankClient,
    channels: {
      'jina-rerank': jinaRerankChannel,
      'cohere-rerank': cohereRerankChannel,
      'voyage-rerank': voyageRerankChannel,
    },
  });
}

function readRequest(body: JsonObject): RerankRequest {
  const fields = validate(rerankRequest, body);
  const documents = checkList(body, 'documents').map(readDocument);
  if (documents.length === 0) refuseField('documents', 'must not be empty');
  if (documents.length > MAX_DOCUMENTS) refuseField('documents', `must hold at most ${MAX_DOCUMENTS} items`);
  return {
    model: fields.model,
    query: fields.query,
    documents,
    topN: fields.top_n ?? fields.top_k ?? undefined,
    returnDocuments: fields.return_documents ?? false,
  };
}

function readDocument(document: unknown, index: number): string {
  const text = isObject(document) ? document.text : document;
  return typeof text === 'string' ? text : refuseField(`documents[${index}]`, 'must be a text');
}
