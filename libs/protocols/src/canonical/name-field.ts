import type { SourceFormat } from './codec.js';

/** In characters: names of settings are shorter. What a caller has named may have megabytes, and is not looked through dot by dot. */
const LONGEST_NAME = 128;

/**
 * The client's own name of a setting that an encoder names; what the client already calls so stays.
 *
 * @param client protocol of the client; the setting keeps its name when left out.
 */
export function nameField(field: string, client?: Pick<SourceFormat, 'fieldNames'>): string {
  const names = client?.fieldNames ?? {};
  const whole = field.length <= LONGEST_NAME ? field.length : field.lastIndexOf('.', LONGEST_NAME);
  for (let end = whole; end > 0; end = field.lastIndexOf('.', end - 1)) {
    const head = field.slice(0, end);
    if (Object.hasOwn(names, head)) return `${names[head]}${field.slice(end)}`;
  }
  return field;
}
