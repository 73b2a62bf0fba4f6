import { REFUSALS } from './refusals.js';
import { pathToName } from './sentences.js';

/** What is said of a text that is refused for it. */
export const UNSTORABLE_RULE = REFUSALS.not_storable;

/** What stands in place of a character that cannot be stored. */
const REPLACEMENT = '\uFFFD';

/** How `JSON.stringify` writes NUL and halves of surrogate pairs; an escaped backslash before it only costs a second look. */
const ESCAPED_UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * Whether a text can be stored as it is: Postgres takes no NUL, and a lone half of a surrogate pair is no character of
 * UTF-8 (https://www.postgresql.org/docs/18/datatype-json.html).
 */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A text as it can be stored: what cannot is replaced by U+FFFD. For text of callers and upstreams that is only written down. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', REPLACEMENT).toWellFormed();
}

/** A value as JSON that Postgres takes as `jsonb`, whatever texts are in it: see `toStorableText`. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!ESCAPED_UNSTORABLE.test(json)) return json;
  const plain: unknown = JSON.parse(json);
  return JSON.stringify(mapTexts(plain, toStorableText));
}

/**
 * Looks for a text that cannot be stored in a parsed value, however deep, names of members included. For input that is
 * to be refused rather than changed.
 *
 * @returns the name of the field, as `settings.region`; `undefined` when there is none.
 */
export function findUnstorableText(value: unknown): string | undefined {
  // A stack of our own: a body may be nested deeper than calls can be.
  const open: Place[] = [{ value, path: undefined }];
  for (let place = open.pop(); place; place = open.pop()) {
    if (typeof place.value === 'string') {
      if (!isStorableText(place.value)) return namePlace(place.path);
    } else if (typeof place.value === 'object' && place.value !== null) {
      const isList = Array.isArray(place.value);
      for (const [key, item] of Object.entries(place.value)) {
        const path = { step: isList ? Number(key) : key, above: place.path };
        if (!isStorableText(key)) return namePlace(path);
        open.push({ value: item, path });
      }
    }
  }
  return undefined;
}

interface Path {
  readonly step: string | number;
  readonly above: Path | undefined;
}

interface Place {
  readonly value: unknown;
  readonly path: Path | undefined;
}

const LONGEST_NAME = 256;

function namePlace(path: Path | undefined): string {
  const steps: (string | number)[] = [];
  for (let at = path; at; at = at.above) steps.push(at.step);
  return toStorableText(pathToName(steps.toReversed())).slice(0, LONGEST_NAME);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]),
  );
}
