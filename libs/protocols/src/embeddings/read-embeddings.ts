import { NO_USAGE, omitUndefined } from '@mg/contract';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { boundBytes } from '../exchange/bound-bytes.js';
import { createExchange, type ChannelFormat, type ClientFormat } from '../exchange/create-exchange.js';
import type { Exchange, ExchangeProtocol } from '../exchange/exchange.js';
import type { JsonObject } from '../json.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { cohereEmbeddingChannel } from './cohere-embeddings.js';
import type { EmbeddingInputs, EmbeddingReply, EmbeddingRequest } from './embedding.js';
import {
  batchEmbedContentsChannel,
  batchEmbedContentsClient,
  embedContentChannel,
  embedContentClient,
  readBatchEmbedContents,
  readEmbedContent,
} from './gemini-embeddings.js';
import { jinaEmbeddingChannel } from './jina-embeddings.js';
import {
  openAiEmbeddingChannel,
  openAiEmbeddingClient,
  readOpenAiEmbeddingRequest,
} from './openai-embeddings.js';
import { voyageEmbeddingChannel } from './voyage-embeddings.js';

/** Tokens that tokenizers add around an input. */
const FRAMING_TOKENS = 8;

const CHANNELS: Readonly<Partial<Record<ExchangeProtocol, ChannelFormat<EmbeddingRequest, EmbeddingReply>>>> =
  {
    'openai-embeddings': openAiEmbeddingChannel,
    'gemini-batch-embed': batchEmbedContentsChannel,
    'gemini-embed': embedContentChannel,
    'cohere-embeddings': cohereEmbeddingChannel,
    'jina-embeddings': jinaEmbeddingChannel,
    'voyage-embeddings': voyageEmbeddingChannel,
  };

/** A call of `POST /v1/embeddings`. @throws GatewayError `invalid_request` naming the field. */
export function readOpenAiEmbeddings(bytes: Buffer): Exchange {
  const parsed = parseRequestBody(bytes);
  return toExchange(bytes, parsed, readOpenAiEmbeddingRequest(parsed), openAiEmbeddingClient);
}

/** A call of `:embedContent`. @throws GatewayError `invalid_request` naming the field. */
export function readGeminiEmbedding(bytes: Buffer, model: string): Exchange {
  const parsed = parseRequestBody(bytes, GEMINI_NAMES);
  return toExchange(bytes, parsed, readEmbedContent(parsed, model), embedContentClient);
}

/** A call of `:batchEmbedContents`. @throws GatewayError `invalid_request` naming the field. */
export function readGeminiEmbeddings(bytes: Buffer, model: string): Exchange {
  const parsed = parseRequestBody(bytes, GEMINI_NAMES);
  return toExchange(bytes, parsed, readBatchEmbedContents(parsed, model), batchEmbedContentsClient);
}

function toExchange(
  bytes: Buffer,
  parsed: JsonObject,
  request: EmbeddingRequest,
  client: ClientFormat<EmbeddingRequest, EmbeddingReply>,
): Exchange {
  const bound = { ...NO_USAGE, inputTokens: boundTokens(request.inputs, bytes.length) };
  return createExchange({
    operation: 'embeddings',
    kind: 'embedding',
    model: request.model,
    stream: false,
    bound,
    priceVariants: [],
    estimate: bound,
    promptTexts: request.inputs.kind === 'texts' ? request.inputs.texts : [],
    body: { kind: 'json', bytes, parsed },
    request,
    client,
    channels: CHANNELS,
    ...omitUndefined({ batchedAs: isOneText(request.inputs) ? ('gemini-embed' as const) : undefined }),
  });
}

/** Google batches requests for one vector each. */
function isOneText(inputs: EmbeddingInputs): boolean {
  return inputs.kind === 'texts' && inputs.texts.length === 1;
}

/** No tokenizer makes more tokens of a text than it has bytes. */
function boundTokens(inputs: EmbeddingInputs, most: number): number {
  if (inputs.kind === 'media') return inputs.mostTokens;
  if (inputs.kind === 'tokens') return inputs.lists.reduce((sum, list) => sum + list.length, 0);
  return boundBytes(inputs.texts, most) + inputs.texts.length * FRAMING_TOKENS;
}
