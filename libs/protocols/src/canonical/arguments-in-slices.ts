import type { JsonObject } from '../json.js';
import { stringifyInSlices, weigh } from '../strict-json/stringify-in-slices.js';
import type { Block, ToolCallBlock } from './blocks.js';
import { isTextTooLong, isWritten, noteWritten, STEP_CHARACTERS, takeParsed } from './json-text.js';
import { readTextInSlices } from './read-text-in-slices.js';
import type { CanonicalReply } from './reply.js';
import type { CanonicalRequest } from './request.js';

/** Arguments below this weight, about a kilobyte, are written and parsed where they are needed. */
const SMALL_WEIGHT = 16;
const SMALL_CHARACTERS = 512;

/**
 * Writes the arguments of calls, and results, which some protocols carry as objects, as JSON in steps, none of which takes long. The texts
 * are remembered for whoever decodes the request afterwards.
 *
 * @param pause is waited for between two steps.
 */
export async function writeArgumentsInSlices(
  inputs: readonly object[],
  pause: () => Promise<void>,
): Promise<void> {
  let characters = 0;
  for (const input of inputs) {
    if (weigh(input, SMALL_WEIGHT) < SMALL_WEIGHT || isWritten(input)) continue;
    const text = (await stringifyInSlices(input, pause)).toString('utf8');
    noteWritten(input, text);
    characters += text.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    await pause();
  }
}

/** What an upstream takes as objects. */
interface TakenObjects {
  readonly takesObjects?: true;
  readonly takesResultObjects?: true;
}

/** Whether a request holds texts for such an upstream that are not parsed in one step: it is written in steps. */
export function hasLongInputs({ turns }: CanonicalRequest, upstream: TakenObjects): boolean {
  if (!upstream.takesObjects) return false;
  return turns.some(({ blocks }) => blocks.some((block) => isLong(block, upstream)));
}

function isLong(block: Block, { takesResultObjects }: TakenObjects): boolean {
  if (block.type === 'tool-call') return block.arguments.length > STEP_CHARACTERS;
  if (block.type !== 'tool-result' || !takesResultObjects) return false;
  let characters = 0;
  for (const part of block.content) if (part.type === 'text') characters += part.text.length;
  return characters > STEP_CHARACTERS;
}

/**
 * The request with the arguments of its calls as objects, which some upstreams take, parsed in steps, none of which takes long.
 *
 * @param pause is waited for between two steps.
 */
export async function readArgumentsInSlices(
  request: CanonicalRequest,
  pause: () => Promise<void>,
): Promise<CanonicalRequest> {
  const turns = await readInputs(request.turns, pause);
  return turns === request.turns ? request : { ...request, turns };
}

/** The same of an answer, for clients that take objects. */
export async function readReplyArgumentsInSlices(
  reply: CanonicalReply,
  pause: () => Promise<void>,
): Promise<CanonicalReply> {
  const choices = await readInputs(reply.choices, pause);
  return choices === reply.choices ? reply : { ...reply, choices };
}

/** Turns or choices with the arguments of their calls as objects; the very same where they have none that are long. */
async function readInputs<T extends { readonly blocks: readonly Block[] }>(
  holders: readonly T[],
  pause: () => Promise<void>,
): Promise<readonly T[]> {
  const inputs = new Map<Block, JsonObject>();
  let characters = 0;
  for (const block of holders.flatMap(({ blocks }) => blocks)) {
    if (block.type !== 'tool-call' || block.arguments.length < SMALL_CHARACTERS) continue;
    inputs.set(block, await readInput(block, pause));
    characters += block.arguments.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    await pause();
  }
  if (inputs.size === 0) return holders;
  return holders.map((holder) => ({
    ...holder,
    blocks: holder.blocks.map((block) => {
      const input = inputs.get(block);
      return input && block.type === 'tool-call' ? { ...block, input } : block;
    }),
  }));
}

async function readInput(
  { arguments: text }: ToolCallBlock,
  pause: () => Promise<void>,
): Promise<JsonObject> {
  return takeParsed(text, isTextTooLong(text) ? undefined : await readTextInSlices(text, pause));
}
