import { findMembers, type Replacement, replaceRanges } from './splice-json.js';

/**
 * Sets top-level members of a JSON object in its raw bytes; every other byte stays as it is.
 *
 * @param members JSON texts by name. @returns the very same buffer when there are none.
 */
export function setMembers(body: Buffer, members: Readonly<Record<string, string>>): Buffer {
  if (Object.keys(members).length === 0) return body;
  const known = findMembers(body);
  const names = new Set(known.map(({ key }) => key));
  const added = Object.entries(members)
    .filter(([key]) => !names.has(key))
    .map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  const at = body.indexOf('{') + 1;
  const text = `${added.join(',')}${known.length === 0 ? '' : ','}`;
  const replacements: Replacement[] = added.length > 0 ? [{ start: at, end: at, text }] : [];
  for (const { key, valueStart: start, valueEnd: end } of known) {
    const value = Object.hasOwn(members, key) ? members[key] : undefined;
    if (value !== undefined) replacements.push({ start, end, text: value });
  }
  return replaceRanges(body, replacements);
}
