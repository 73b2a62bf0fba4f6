/**
 * What a JSON body may hold. The limits bound what `JSON.parse` costs at once: values and names cost by their number, long
 * names by their bytes, and long strings are left to be decoded apart.
 */
export interface JsonLimits {
  /** Most levels of objects and arrays inside each other. */
  readonly depth: number;
  /** Most members of all objects together. */
  readonly members: number;
  /** Most members at the top level: those that the gateway does not know are copied, and looked at one by one. */
  readonly topMembers: number;
  /** Most different names that the gateway does not know: objects of ever new names are the most expensive to parse. */
  readonly newNames: number;
  /** Most objects and arrays together. */
  readonly containers: number;
  /** Most strings that are values. */
  readonly strings: number;
  /** Most numbers, `true`, `false` and `null` together. */
  readonly scalars: number;
  /** Longest name of a member, in bytes as written. */
  readonly nameBytes: number;
  /** Most bytes of all names together, as written. */
  readonly allNameBytes: number;
  /** Longest number, in characters. */
  readonly numberLength: number;
}

/** 2,048 messages with a hundred parts each have fewer members; so have requests of 300,000 tokens as numbers, the most
 * that OpenAI takes: https://platform.openai.com/docs/api-reference/embeddings/create */
export const BODY_LIMITS: JsonLimits = {
  depth: 64,
  members: 50_000,
  topMembers: 1_000,
  newNames: 10_000,
  containers: 50_000,
  strings: 100_000,
  scalars: 300_000,
  nameBytes: 4_096,
  allNameBytes: 1024 * 1024,
  numberLength: 128,
};
