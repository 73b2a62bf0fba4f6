/**
 * What a JSON body may hold. The limits bound what `JSON.parse` costs: measured at up to 35 ms for a body that is full of
 * members, containers or numbers.
 */
export interface JsonLimits {
  /** Most levels of objects and arrays inside each other. */
  readonly depth: number;
  /** Most members of all objects together. */
  readonly members: number;
  /** Most objects and arrays together. */
  readonly containers: number;
  /** Most strings that are values. */
  readonly strings: number;
  /** Most numbers, `true`, `false` and `null` together. */
  readonly scalars: number;
  /** Longest name of a member, in bytes as written. */
  readonly nameBytes: number;
  /** Longest number, in characters. */
  readonly numberLength: number;
}

/** 2,048 messages with a hundred parts each have fewer members; so have requests of 300,000 tokens as numbers, the most
 * that OpenAI takes: https://platform.openai.com/docs/api-reference/embeddings/create */
export const BODY_LIMITS: JsonLimits = {
  depth: 64,
  members: 50_000,
  containers: 100_000,
  strings: 200_000,
  scalars: 1_000_000,
  nameBytes: 4_096,
  numberLength: 128,
};
