import type { JsonObject } from '@mg/protocols';

/** A member of an answer that is a text. */
export function textMember(json: JsonObject | undefined, name: string): string | undefined {
  const value = json?.[name];
  return typeof value === 'string' ? value : undefined;
}
