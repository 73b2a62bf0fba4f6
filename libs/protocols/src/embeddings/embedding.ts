import type { Usage } from '@mg/contract';
import { refuseField } from '../canonical/refuse.js';

/** What is embedded: texts, the token ids of one tokenizer, or media that only the client's own wire format can carry. */
export type EmbeddingInputs =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'tokens'; readonly lists: readonly (readonly number[])[] }
  | { readonly kind: 'media'; readonly mostTokens: number };

/** What vectors are for, where the client says so, in Google's words. */
export const EMBEDDING_TASKS = [
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
] as const;
export type EmbeddingTask = (typeof EMBEDDING_TASKS)[number];

/** A request for embeddings in no wire format in particular. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly inputs: EmbeddingInputs;
  /** Length of each vector, where the caller wants another than the model's own. */
  readonly dimensions: number | undefined;
  /** How the client wants its vectors written. */
  readonly encoding: 'float' | 'base64';
  /** A hint; `mixed` where texts of one request are for different purposes. */
  readonly task: EmbeddingTask | 'mixed' | undefined;
  readonly user: string | undefined;
}

/** A vector that is read when it is asked for: an answer may hold millions of numbers. @throws GatewayError `upstream_error` */
export type LazyVector = () => readonly number[];

/** What is made when it is asked for, and once, however often that is. */
export function makeOnce<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Vectors in the order of the inputs. */
export interface EmbeddingReply {
  readonly vectors: readonly LazyVector[];
  readonly usage: Usage | undefined;
}

/** Vectors of this many numbers as base64 of little-endian float32, as official SDKs decode it. */
export function encodeVector(vector: readonly number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

/** @returns `undefined` when the text does not hold float32 numbers. */
export function decodeVector(text: string): number[] | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += 4) numbers.push(bytes.readFloatLE(at));
  return numbers;
}

/** The texts of a request, for channels that take nothing else. @throws GatewayError `invalid_request` naming the field. */
export function needTexts(inputs: EmbeddingInputs, channelType: string): readonly string[] {
  if (inputs.kind === 'texts') return inputs.texts;
  return refuseField(
    inputs.kind === 'tokens' ? 'input' : 'content.parts',
    `holds ${inputs.kind === 'tokens' ? 'token ids' : 'media'}, which a channel of type ${channelType} cannot read`,
  );
}

/** Items in lots of at most so many, in their order; one lot where there is no limit. */
export function splitIntoLots<Item>(
  items: readonly Item[],
  most = Number.POSITIVE_INFINITY,
): (readonly Item[])[] {
  if (items.length <= most) return [items];
  const lots: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += most) lots.push(items.slice(at, at + most));
  return lots;
}
