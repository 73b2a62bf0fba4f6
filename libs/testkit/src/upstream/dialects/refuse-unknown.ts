import { type Json, isObject } from '../json.js';

/** The first member of an object that a provider does not know, or `undefined`. */
export function findUnknown(value: unknown, known: readonly string[]): string | undefined {
  if (!isObject(value)) return undefined;
  return Object.keys(value).find((name) => !known.includes(name));
}

/** The first unknown member in any object of a list, with its place. */
export function findUnknownIn(
  list: readonly Json[],
  known: readonly string[],
  place: (index: number) => string,
): string | undefined {
  for (const [index, value] of list.entries()) {
    const unknown = findUnknown(value, known);
    if (unknown !== undefined) return `${place(index)}.${unknown}`;
  }
  return undefined;
}

export function listWords(text: string): readonly string[] {
  return text.split(' ');
}
