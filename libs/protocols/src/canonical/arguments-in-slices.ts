import type { JsonObject } from '../json.js';
import { readObjectInSlices } from '../strict-json/read-object-in-slices.js';
import { stringifyInSlices, weigh } from '../strict-json/stringify-in-slices.js';
import type { Block, ToolCallBlock } from './blocks.js';
import { isParsed, isWritten, noteWritten, readArguments } from './json-text.js';
import type { CanonicalRequest } from './request.js';

/** Arguments below this weight, about a kilobyte, are written and parsed where they are needed. */
const SMALL_WEIGHT = 16;
const SMALL_CHARACTERS = 512;
/** Written or parsed in one step: well under two milliseconds. */
const STEP_CHARACTERS = 64 * 1024;

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

/**
 * The request with the arguments of its calls as objects, which some upstreams take, parsed in steps, none of which takes long.
 *
 * @param pause is waited for between two steps.
 */
export async function readArgumentsInSlices(
  request: CanonicalRequest,
  pause: () => Promise<void>,
): Promise<CanonicalRequest> {
  const inputs = new Map<Block, JsonObject>();
  let characters = 0;
  for (const block of request.turns.flatMap((turn) => turn.blocks)) {
    if (block.type !== 'tool-call' || block.arguments.length < SMALL_CHARACTERS) continue;
    inputs.set(block, await readInput(block, pause));
    characters += block.arguments.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    await pause();
  }
  if (inputs.size === 0) return request;
  const turns = request.turns.map((turn) => ({
    ...turn,
    blocks: turn.blocks.map((block) => {
      const input = inputs.get(block);
      return input && block.type === 'tool-call' ? { ...block, input } : block;
    }),
  }));
  return { ...request, turns };
}

async function readInput(
  { arguments: text }: ToolCallBlock,
  pause: () => Promise<void>,
): Promise<JsonObject> {
  // Bytes cannot say half of a surrogate pair, and the reader in slices keeps to the limits of answers.
  const canBeSliced = text.length > STEP_CHARACTERS && isParsed(text) && text.isWellFormed();
  const input = canBeSliced ? await readObjectInSlices(Buffer.from(text), pause) : undefined;
  return input ?? readArguments(text);
}
