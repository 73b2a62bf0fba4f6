import * as z from 'zod/mini';
import type { SettingField } from '../../api/console-api.js';
import { required } from '../../forms/texts.js';
import { fault } from '../../messages/say-fault.js';

/** Settings as they are written in a form, by name; empty leaves a setting unset, and a secret as it is. */
type SettingTexts = Readonly<Record<string, string>>;
type Settings = Readonly<Record<string, unknown>>;

/** Of what a list says: nothing at all, in place of not being set. */
const EMPTY_LIST = '-';

/** @param fields every field that the form may show, of whichever type. */
export function toSettingTexts(settings: Settings, fields: readonly SettingField[]): SettingTexts {
  return Object.fromEntries(
    fields.map(({ name }) => [name, Object.hasOwn(settings, name) ? toText(settings[name]) : '']),
  );
}

/** What the type does not describe, as JSON; empty where there is nothing. */
export function toOtherSettings(settings: Settings, fields: readonly SettingField[]): string {
  const known = new Set(fields.map(({ name }) => name));
  const others = Object.entries(settings).filter(([name]) => !known.has(name));
  return others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2);
}

/**
 * The settings of one type; what is empty is not sent.
 *
 * @param kept names of the secret settings that are set.
 */
export function settingsSchema(fields: readonly SettingField[], kept: readonly string[]) {
  const schemas = fields.map((field) => [field.name, settingSchema(field, kept.includes(field.name))]);
  return z.object(Object.fromEntries(schemas) as Record<string, z.ZodMiniType<unknown, string>>);
}

function settingSchema(field: SettingField, isKept: boolean): z.ZodMiniType<unknown, string> {
  const text = field.required && !isKept ? required : z.string().check(z.trim());
  const readable = text.check(
    z.refine((written) => field.kind !== 'number' || !Number.isNaN(Number(written)), fault('not_a_number')),
  );
  return z.pipe(
    readable,
    z.transform((written) => (written === '' ? undefined : fromText(field, written))),
  );
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? EMPTY_LIST : value.join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** JSON that cannot be read is sent as it is written, for the API to say what is wrong with it. */
function fromText({ kind }: SettingField, text: string): unknown {
  if (kind === 'flag') return text === 'true';
  if (kind === 'number') return Number(text);
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
