/**
 * What a JSON body may hold. The limits bound what `JSON.parse` costs: measured at up to 100 ms for a body that is full of
 * members or containers, and up to 300 ms for 20 MB of numbers.
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

/** 2,048 messages with a hundred parts each have fewer members; 2,048 inputs of 8,192 tokens are just so many numbers. */
export const BODY_LIMITS: JsonLimits = {
  depth: 64,
  members: 100_000,
  containers: 100_000,
  strings: 200_000,
  scalars: 2_048 * 8_192,
  nameBytes: 4_096,
  numberLength: 128,
};
