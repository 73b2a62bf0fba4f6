import { digestId } from '../canonical/digest-id.js';
import { isParsed } from '../canonical/json-text.js';
import { parseObject, type JsonObject } from '../json.js';
import { readObject, readObjects, readText } from '../canonical/read-fields.js';

/** The name under which models of other protocols are offered a search for tools that the client runs. */
export const TOOL_SEARCH = 'tool_search';

/** The longest name and the characters that all other protocols take. */
const MAX_NAME = 64;
const VALID = /^[a-zA-Z0-9_-]+$/;
const DIGEST_LENGTH = 10;
/** Of a name that is digested as it is, in characters. */
const LONGEST_NAME = 1_024;

/**
 * The name of a tool where there are no namespaces. What does not fit is cut and made unique by a digest, the same in every
 * call, so that a conversation that is sent again names its tools as before.
 */
export function flattenName(namespace: string | undefined, name: string): string {
  if (namespace === undefined) return name;
  const flat = `${namespace.slice(0, MAX_NAME)}__${name.slice(0, MAX_NAME)}`;
  if (flat.length <= MAX_NAME && VALID.test(flat)) return flat;
  const digest = digestId(`${standFor(namespace)}\n${standFor(name)}`).slice(0, DIGEST_LENGTH);
  const readable = flat.slice(0, MAX_NAME - DIGEST_LENGTH - 1).replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  return `${readable}_${digest}`;
}

/** A text that stands for a name: one of megabytes would be copied for each tool of its namespace. */
function standFor(name: string): string {
  return name.length > LONGEST_NAME ? digestId(name) : name;
}

/** The names of a declared tool, or of those in a namespace, where there are no namespaces. */
export function listFlatNames(tool: JsonObject, namespace?: string): string[] {
  const name = readText(tool.name);
  if (name === undefined) return [];
  if (tool.type !== 'namespace') return [flattenName(namespace, name)];
  return readObjects(tool.tools).flatMap((member) => listFlatNames({ ...member, type: 'function' }, name));
}

/** What a tool that takes free text takes as a function. */
export const FREE_TEXT: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
};

/** What such a tool is for; its grammar goes into the description. */
export function explainCustom(item: JsonObject): string | undefined {
  const format = readObject(item.format);
  const definition = readText(format?.definition);
  const grammar =
    definition === undefined
      ? undefined
      : `The input must follow this ${readText(format?.syntax) ?? 'formal'} grammar:\n${definition}`;
  const texts = [readText(item.description), grammar].filter((text) => text !== undefined && text !== '');
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** What stands around free text in such arguments. */
const BEFORE = '{"input":';
const AFTER = '}';

/** Free text as the arguments of such a function. */
export function wrapInput(input: string): string {
  return JSON.stringify({ input });
}

/** Longer ones, which are six times as long as the longest input at most, are not read: it would take tens of milliseconds. */
const MOST_WRAPPED_CHARACTERS = 4 * 1024 * 1024;

/**
 * The text back out of the arguments. A model may have named it otherwise or written no JSON: nothing of it is lost. What is
 * longer, or of more names, than any model writes is the text itself.
 *
 * @param input the arguments, where they were parsed in steps.
 */
export function unwrapInput(json: string, input?: JsonObject): string {
  const written = readWrapped(json);
  if (written !== undefined) return written;
  const parsed = input ?? (isParsed(json) ? parseObject(json) : undefined);
  if (!parsed) return json;
  const values = Object.values(parsed);
  const [only] = values;
  return readText(parsed.input) ?? (values.length === 1 ? readText(only) : undefined) ?? json;
}

/** The text of arguments as {@link wrapInput} writes them, however long. */
function readWrapped(json: string): string | undefined {
  if (json.length > MOST_WRAPPED_CHARACTERS) return undefined;
  if (!json.startsWith(`${BEFORE}"`) || !json.endsWith(`"${AFTER}`)) return undefined;
  try {
    return readText(JSON.parse(json.slice(BEFORE.length, -AFTER.length)));
  } catch {
    return undefined;
  }
}
