import { isObject, type JsonObject, roundInteger } from '../json.js';

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function readNumber(value: unknown): number | undefined {
  const number = roundInteger(value);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function readObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; anything else in it is left out. */
export function readObjects(value: unknown): readonly JsonObject[] {
  return readList(value).filter(isObject);
}
