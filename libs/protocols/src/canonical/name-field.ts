import type { SourceFormat } from './codec.js';

/**
 * The client's own name of a setting that an encoder names; what the client already calls so stays.
 *
 * @param client protocol of the client; the setting keeps its name when left out.
 */
export function nameField(field: string, client?: Pick<SourceFormat, 'fieldNames'>): string {
  const names = client?.fieldNames ?? {};
  for (let end = field.length; end > 0; end = field.lastIndexOf('.', end - 1)) {
    const head = field.slice(0, end);
    if (Object.hasOwn(names, head)) return `${names[head]}${field.slice(end)}`;
  }
  return field;
}
