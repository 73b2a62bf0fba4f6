import { parseJsonObject } from '../../api/parse-json-object.js';
import type { SettingField } from '../../api/console-api.js';

/** A channel's settings as they are written in a form. */
export interface SettingsDraft {
  /** By name; empty leaves a setting unset, and a secret as it is. */
  readonly texts: Readonly<Record<string, string>>;
  /** JSON: what the type does not describe. */
  readonly others: string;
}

type Settings = Readonly<Record<string, unknown>>;

/** Of what a list says: nothing at all, in place of not being set. */
const EMPTY_LIST = '-';

export function toSettingsDraft(settings: Settings, fields: readonly SettingField[]): SettingsDraft {
  const known = new Set(fields.map((field) => field.name));
  const entries = Object.entries(settings);
  const others = entries.filter(([name]) => !known.has(name));
  return {
    texts: Object.fromEntries(
      entries.filter(([name]) => known.has(name)).map(([name, value]) => [name, toText(value)]),
    ),
    others: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2),
  };
}

/** @throws Error of the given words when the other settings are no JSON object. */
export function toSettings(
  draft: SettingsDraft,
  fields: readonly SettingField[],
  otherwise: string,
): Record<string, unknown> {
  const given = fields
    .map((field) => [field, draft.texts[field.name]?.trim() ?? ''] as const)
    .filter(([, text]) => text !== '')
    .map(([field, text]) => [field.name, fromText(field, text)] as const);
  return { ...parseJsonObject(draft.others, otherwise), ...Object.fromEntries(given) };
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? EMPTY_LIST : value.join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** What cannot be read is sent as it is written, for the API to say what is wrong with it. */
function fromText({ kind }: SettingField, text: string): unknown {
  if (kind === 'flag') return text === 'true';
  if (kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === 'list') return text === EMPTY_LIST ? [] : text.split(/[\s,]+/);
  return kind === 'json' ? parseAny(text) : text;
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
