import { readGeminiEmbedding, readGeminiEmbeddings, readOpenAiEmbeddings } from '@mg/protocols';
import { splitGeminiPath } from '../../edge/gemini-path.js';
import { jsonExchange } from '../exchange/exchange-endpoint.js';

/** Vectors of texts. */
export const EMBEDDINGS = jsonExchange('/v1/embeddings', readOpenAiEmbeddings);

/** One vector in Google's protocol, whose paths name the model. */
export const geminiEmbedding = (path: string) =>
  jsonExchange(path, (body, request) => readGeminiEmbedding(body, splitGeminiPath(request).model));

/** Several vectors in Google's protocol. */
export const geminiEmbeddings = (path: string) =>
  jsonExchange(path, (body, request) => readGeminiEmbeddings(body, splitGeminiPath(request).model));
