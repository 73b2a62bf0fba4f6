export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; nothing where there is no list. */
export function listObjects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A JSON object; `undefined` for anything else. */
export function parseJson(text: Buffer | string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
