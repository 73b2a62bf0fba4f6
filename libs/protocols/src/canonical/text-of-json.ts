import { isObject } from '../json.js';
import type { Steps } from './steps.js';

/** Values of fewer characters are written as JSON. */
const SMALL_CHARACTERS = 64 * 1024;
/** Names and values that are looked at in a row. */
const VALUES_OF_STEP = 1_000;

/**
 * A value as the texts that a tokenizer counts: its JSON. Of a large one, whose tokens are estimated by the length of the texts,
 * its names and texts: writing it would take long.
 */
export function* listJsonTexts(value: unknown): Steps<readonly string[]> {
  const texts = yield* listTexts(value);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length < SMALL_CHARACTERS ? [JSON.stringify(value)] : texts;
}

/** The same of each of several values; of those that are not there nothing. */
export function* listAllJsonTexts(values: readonly unknown[]): Steps<readonly string[]> {
  const texts: string[] = [];
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    for (const text of yield* listJsonTexts(value)) texts.push(text);
  }
  return texts;
}

/** Names of members and texts, in order; of everything else nothing. */
function* listTexts(value: unknown): Steps<string[]> {
  const texts: string[] = [];
  const waiting: unknown[] = [value];
  for (let seen = 1; waiting.length > 0; seen++) {
    if (seen % VALUES_OF_STEP === 0) yield;
    const next = waiting.pop();
    if (typeof next === 'string') texts.push(next);
    else if (Array.isArray(next)) for (const item of next.toReversed()) waiting.push(item);
    else if (isObject(next)) {
      for (const [name, item] of Object.entries(next).toReversed()) waiting.push(item, name);
    }
  }
  return texts;
}
