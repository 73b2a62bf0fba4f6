import { toJsonSchema } from '../schema/json-schema.js';
import { openAiVideoForm } from './request-schema.js';

/** As JSON writes them; what is longer is not held exactly, and stays a text. */
const INTEGER = /^-?(?:0|[1-9]\d{0,15})$/;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Fields of the form that are whole numbers, and those that are flags, as its schema says. */
const NUMBERS = listFields('integer', 'number');
const SWITCHES = listFields('boolean');

/** What a field's text stands for: the schema refuses a text that stands for no number where it wants one. */
export function readFormValue(name: string, text: string): string | number | boolean {
  if (NUMBERS.has(name)) return INTEGER.test(text) ? Number(text) : text;
  return SWITCHES.has(name) ? (FLAGS.get(text) ?? text) : text;
}

function listFields(...types: readonly string[]): ReadonlySet<string> {
  const { properties } = toJsonSchema(openAiVideoForm) as { properties: Record<string, { type?: unknown }> };
  const isOfType = ({ type }: { type?: unknown }) => [type].flat().some((one) => types.includes(String(one)));
  return new Set(Object.keys(properties).filter((name) => isOfType(properties[name] ?? {})));
}
