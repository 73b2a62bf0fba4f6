/** JSON as it is written: an object keeps every member, also those of one name. */
export type WrittenJson =
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, value: WrittenJson])[] }
  | { readonly kind: 'other'; readonly value: unknown; readonly text: string };

/** Reads JSON without deciding between members of one name. @throws SyntaxError */
export function parseWritten(text: string): WrittenJson {
  const skip = (from: number) => from + (/^[ \t\r\n]*/.exec(text.slice(from))?.[0].length ?? 0);
  const readText = (from: number) => {
    const written = /^"(?:[^"\\]|\\.)*"/s.exec(text.slice(from))?.[0] ?? '';
    return { end: from + written.length, value: JSON.parse(written) as string };
  };
  const endOfValue = (from: number): number => {
    let depth = 0;
    for (let at = from; at < text.length; at++) {
      const letter = text[at] ?? '';
      if (letter === '"') at = readText(at).end - 1;
      else if ('{['.includes(letter)) depth++;
      else if ('}]'.includes(letter) && --depth < 0) return at;
      else if (letter === ',' && depth === 0) return at;
    }
    return text.length;
  };
  const start = skip(0);
  if (text[start] !== '{') return { kind: 'other', value: JSON.parse(text) as unknown, text: text.trim() };
  JSON.parse(text);
  const members: [string, WrittenJson][] = [];
  for (let at = skip(start + 1); text[at] === '"';) {
    const name = readText(at);
    const valueStart = skip(name.end) + 1;
    const end = endOfValue(valueStart);
    members.push([name.value, parseWritten(text.slice(valueStart, end))]);
    at = text[end] === ',' ? skip(end + 1) : end;
  }
  return { kind: 'object', members };
}

/** How servers find a member of an object. */
export interface JsonReader {
  readonly name: string;
  /** The value under any of these names; `undefined` where there is none. */
  find(json: WrittenJson | undefined, names: readonly string[]): WrittenJson | undefined;
  /** Whether it refuses the body as a whole. */
  refuses(json: WrittenJson): boolean;
}

function membersOf(
  json: WrittenJson | undefined,
  names: readonly string[],
  isSame: (a: string, b: string) => boolean,
) {
  if (json?.kind !== 'object') return [];
  return json.members
    .filter(([name]) => names.some((other) => isSame(name, other)))
    .map(([, value]) => value);
}

const isEqual = (a: string, b: string) => a === b;
const isNull = (json: WrittenJson) => json.kind === 'other' && json.value === null;

/** Equal under Unicode's simple folding, as Go's `strings.EqualFold`: two letters beyond ASCII fold onto one of ASCII. */
function equalFold(a: string, b: string): boolean {
  const fold = (text: string) => text.replaceAll('\u017f', 's').replaceAll('\u212a', 'k').toLowerCase();
  return fold(a) === fold(b);
}

function hasDoubles(json: WrittenJson): boolean {
  if (json.kind !== 'object') return false;
  const names = json.members.map(([name]) => name);
  return new Set(names).size < names.length || json.members.some(([, value]) => hasDoubles(value));
}

/**
 * Four servers: by the first of several members of one name, by the last, by the last under folding, where `null` changes
 * nothing (Go's `encoding/json`), and one that refuses them.
 */
export const JSON_READERS: readonly JsonReader[] = [
  { name: 'first wins', find: (json, names) => membersOf(json, names, isEqual)[0], refuses: () => false },
  { name: 'last wins', find: (json, names) => membersOf(json, names, isEqual).at(-1), refuses: () => false },
  {
    name: 'folds case',
    find: (json, names) => membersOf(json, names, equalFold).findLast((value) => !isNull(value)),
    refuses: () => false,
  },
  { name: 'strict', find: (json, names) => membersOf(json, names, isEqual)[0], refuses: hasDoubles },
];
