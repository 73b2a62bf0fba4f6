import type { JsonObject } from '../json.js';
import { decodeWritten } from '../strict-json/decode-strings.js';
import { stringifyInSlices, weigh } from '../strict-json/stringify-in-slices.js';
import type { Block, ToolCallBlock } from './blocks.js';
import {
  areArgumentsWholeInSlices,
  isTextTooLong,
  isWritten,
  noteWritten,
  readRaw,
  STEP_CHARACTERS,
  takeParsed,
} from './json-text.js';
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
    const text = await decodeWritten(await stringifyInSlices(input, pause), pause);
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
  const read = async (text: string) => ({ input: await readInputInSlices(text, pause) });
  const turns = await readCalls(request.turns, read, pause);
  return turns === request.turns ? request : { ...request, turns };
}

/**
 * The answer with what its calls are found out to be in steps: whether their arguments are whole, and, for clients that take them,
 * what they are as objects.
 *
 * @param pause is waited for between two steps.
 */
export async function readReplyArgumentsInSlices(
  reply: CanonicalReply,
  pause: () => Promise<void>,
  { takesObjects = true } = {},
): Promise<CanonicalReply> {
  const read = (text: string) => readCallInSlices(text, pause, { takesObjects });
  const choices = await readCalls(reply.choices, read, pause);
  return choices === reply.choices ? reply : { ...reply, choices };
}

/** What is found out of the arguments of a call. */
export type ReadCall = Pick<ToolCallBlock, 'input' | 'isWhole'>;

/** Turns or choices with what their calls are found out to be; the very same where they have none that are long. */
async function readCalls<T extends { readonly blocks: readonly Block[] }>(
  holders: readonly T[],
  read: (text: string) => Promise<ReadCall>,
  pause: () => Promise<void>,
): Promise<readonly T[]> {
  const found = new Map<Block, ReadCall>();
  let characters = 0;
  for (const block of holders.flatMap(({ blocks }) => blocks)) {
    if (block.type !== 'tool-call' || block.arguments.length < SMALL_CHARACTERS) continue;
    found.set(block, await read(block.arguments));
    characters += block.arguments.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    await pause();
  }
  if (found.size === 0) return holders;
  return holders.map((holder) => ({
    ...holder,
    blocks: holder.blocks.map((block) => {
      const call = found.get(block);
      return call && block.type === 'tool-call' ? { ...block, ...call } : block;
    }),
  }));
}

/**
 * What the arguments of a call in an answer are: whether they are whole, and, where they are taken as one, the object.
 *
 * @param pause is waited for between two steps.
 */
export async function readCallInSlices(
  text: string,
  pause: () => Promise<void>,
  { takesObjects }: { readonly takesObjects: boolean },
): Promise<ReadCall> {
  if (!takesObjects) return { isWhole: await areArgumentsWholeInSlices(text, pause) };
  const input = await readInputInSlices(text, pause);
  return {
    input,
    isWhole: readRaw(input) === undefined || (await areArgumentsWholeInSlices(text, pause)),
  };
}

async function readInputInSlices(text: string, pause: () => Promise<void>): Promise<JsonObject> {
  return takeParsed(text, isTextTooLong(text) ? undefined : await readTextInSlices(text, pause));
}
