import { AttachedValue } from '../attached-value.js';
import { type JsonObject, parseExactObject } from '../json.js';
import type { ToolResultBlock } from './blocks.js';
import { isParsed, STEP_CHARACTERS } from './json-text.js';
import { readTextInSlices } from './read-text-in-slices.js';
import type { CanonicalRequest } from './request.js';

type ResultContent = ToolResultBlock['content'];

/** Shorter results are parsed where they are needed. */
const SMALL_CHARACTERS = 512;
/** What is looked at to see whether a text may be an object; in characters. */
const LOOKED_AT = 4 * 1024;

/** What results are as objects, where that was found out in steps, by their content. */
const READ = new AttachedValue<ResultContent, { readonly object: JsonObject | undefined }>();

/** The text of a tool's result. */
export function textOfResult(content: ResultContent): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** A tool's result as an object, for those that take it so; `undefined` for any other text, and for what is not parsed. */
export function readResultObject(content: ResultContent): JsonObject | undefined {
  const read = READ.get(content);
  if (read) return read.object;
  const text = textOfResult(content);
  return mayBeObject(text) && isParsed(text) ? parseExactObject(text) : undefined;
}

/**
 * Reads the results of a request as objects in steps, none of which takes long, for whoever asks for them afterwards.
 *
 * @param pause is waited for between two steps.
 */
export async function readResultsInSlices(
  { turns }: CanonicalRequest,
  pause: () => Promise<void>,
): Promise<void> {
  let characters = 0;
  for (const block of turns.flatMap((turn) => turn.blocks)) {
    if (block.type !== 'tool-result') continue;
    const text = textOfResult(block.content);
    if (text.length < SMALL_CHARACTERS || !mayBeObject(text)) continue;
    READ.set(block.content, { object: await readTextInSlices(text, pause) });
    characters += text.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    await pause();
  }
}

function mayBeObject(text: string): boolean {
  const beginning = text.slice(0, LOOKED_AT).trimStart();
  return beginning.startsWith('{') || (beginning === '' && text.length > LOOKED_AT);
}
