import { omitUndefined } from '@mg/contract';
import { arrangeToolResults } from '../canonical/arrange-tool-results.js';
import type {
  Block,
  MediaBlock,
  OpaqueBlock,
  ToolCallBlock,
  ToolResultBlock,
  Turn,
} from '../canonical/blocks.js';
import { limitLeading } from '../canonical/limit-items.js';
import { nameOpaque } from '../canonical/name-opaque.js';
import { placeOf } from '../canonical/places.js';
import { refuseContent, refuseField } from '../canonical/refuse.js';
import { refuseResultPart } from '../canonical/refuse-result-part.js';
import { readResultObject, textOfResult } from '../canonical/results-in-slices.js';
import type { Steps } from '../canonical/steps.js';
import type { JsonObject } from '../json.js';
import { encodeCall, encodeMedia, encodePlain } from './encode-parts.js';
import { adaptName } from './encode-tools.js';
import type { GeminiGenerateContext } from './traits.js';

/** What Google's newest models take for the signature of a call that has none. */
const NO_SIGNATURE = 'skip_thought_signature_validator';
/** Stands before a conversation that the assistant opens: Google wants the user to begin. */
const OPENING = '.';

export interface EncodedContents {
  readonly systemInstruction: JsonObject | undefined;
  readonly contents: readonly JsonObject[];
}

/** @throws GatewayError `invalid_request` */
export function* encodeContents(
  turns: readonly Turn[],
  context: GeminiGenerateContext,
): Steps<EncodedContents> {
  const arranged = yield* arrangeToolResults(turns);
  const firstOther = arranged.findIndex((turn) => turn.role !== 'system');
  const leading = arranged.slice(0, firstOther < 0 ? arranged.length : firstOther);
  limitLeading(leading, context);
  const instruction = leading.flatMap((turn) => encodeSystem(turn, context));
  const contents = firstOther < 0 ? [] : yield* encodeTurns(arranged.slice(firstOther), context);
  if (contents.length > 0) {
    return { systemInstruction: instruction.length > 0 ? { parts: instruction } : undefined, contents };
  }
  if (instruction.length === 0) refuseField('messages', 'must hold at least one turn with content');
  return { systemInstruction: undefined, contents: [{ role: 'user', parts: instruction }] };
}

function encodeSystem(turn: Turn, context: GeminiGenerateContext): JsonObject[] {
  return turn.blocks.flatMap((block) => {
    if (block.type === 'media') refuseContent(block.source, 'its system instruction is text alone', context);
    if (block.type === 'opaque') context.dropped.add(`messages.${nameOpaque(block)}`);
    return block.type === 'text' && block.text !== '' ? [{ text: block.text }] : [];
  });
}

/** Contents in which neighbours of one role are merged and the user begins. */
function* encodeTurns(turns: readonly Turn[], context: GeminiGenerateContext): Steps<JsonObject[]> {
  const contents: { role: string; parts: JsonObject[] }[] = [];
  for (const turn of turns) {
    yield;
    const role = turn.role === 'assistant' ? 'model' : 'user';
    const parts = encodeTurn(turn, context);
    const last = contents.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  if (contents[0]?.role === 'model') contents.unshift({ role: 'user', parts: [{ text: OPENING }] });
  return contents;
}

function encodeTurn(turn: Turn, context: GeminiGenerateContext): JsonObject[] {
  if (turn.role === 'system') {
    const text = encodeSystem(turn, context).map((part) => part.text);
    return text.length === 0 ? [] : [{ text: `<system-reminder>\n${text.join('\n\n')}\n</system-reminder>` }];
  }
  const signs = context.traits.requiresCallSignatures === true;
  const isOwn = turn.blocks.some(
    (block) => 'signature' in block && block.signature?.protocol === 'gemini-generate',
  );
  const scope: TurnScope = { context, role: turn.role, signs, isOwn };
  return turn.blocks.flatMap((block) => encodeBlock(block, scope));
}

interface TurnScope {
  readonly context: GeminiGenerateContext;
  readonly role: 'user' | 'assistant';
  /** Whether Google's model made the turn: something in it bears its signature. */
  readonly isOwn: boolean;
  /** Whether the next call of the turn has to carry a signature: its model's own, or one that says there is none. */
  signs: boolean;
}

/** What another protocol's model did by itself is history; what its user said cannot be left out. */
function encodeOpaque(block: OpaqueBlock, { context, role }: TurnScope): JsonObject[] {
  if (block.protocol === 'gemini-generate') return [block.raw];
  const name = nameOpaque(block);
  if (role === 'user') refuseContent(block, `it has no content of type ${JSON.stringify(name)}`, context);
  context.dropped.add(`messages.${name}`);
  return [];
}

function encodeBlock(block: Block, scope: TurnScope): JsonObject[] {
  switch (block.type) {
    case 'text':
      return [encodePlain(block)].filter((part) => part !== undefined);
    case 'opaque':
      return encodeOpaque(block, scope);
    case 'reasoning':
      return encodeOwnThought(block, scope);
    case 'media':
      return [encodeOrRefuse(block, scope.context)];
    case 'tool-call':
      return [encodeOwnCall(block, scope)];
    case 'tool-result':
      return encodeResult(block, scope.context);
    default:
      return refuseField('messages', 'hold a block of an unknown kind');
  }
}

/**
 * Only thoughts that Google signed go back to it: it cannot check the others, and they are not the model's. Its own
 * summaries, which are unsigned beside a signed call, it does not want again: nothing is lost with them.
 */
function encodeOwnThought(
  block: Extract<Block, { type: 'reasoning' }>,
  { context, isOwn }: TurnScope,
): JsonObject[] {
  if (block.signature?.protocol !== 'gemini-generate') {
    if (!isOwn || block.signature || block.redacted) context.dropped.add('messages.thinking');
    return [];
  }
  const thoughtSignature = block.signature.value;
  return [
    block.text === ''
      ? { text: '', thoughtSignature }
      : { text: block.text, thought: true, thoughtSignature },
  ];
}

function encodeOwnCall(block: ToolCallBlock, scope: TurnScope): JsonObject {
  const id = scope.context.traits.supportsCallIds === false ? undefined : block.id;
  const part = encodeCall(
    block,
    adaptName(block.name, scope.context, `${placeOf(block, 'messages')}.name`),
    id,
  );
  const needsSignature = scope.signs && part.thoughtSignature === undefined;
  scope.signs = false;
  return needsSignature ? { ...part, thoughtSignature: NO_SIGNATURE } : part;
}

function encodeOrRefuse(block: MediaBlock, context: GeminiGenerateContext): JsonObject {
  const part = encodeMedia(block);
  if (!part) refuseContent(block.source, 'the file was uploaded to another provider', context);
  if (block.source.type === 'url' && !block.source.url.startsWith('https://')) {
    refuseContent(block.source, 'it takes media from https addresses only', context);
  }
  if (block.name !== undefined) context.dropped.add('filename');
  if (block.detail === undefined || block.detail === 'auto') return part;
  if (context.traits.supportsMediaResolution) {
    return { ...part, mediaResolution: { level: `MEDIA_RESOLUTION_${block.detail.toUpperCase()}` } };
  }
  context.dropped.add('detail');
  return part;
}

/** A result as `functionResponse`; media ride inside where the model takes them there, else beside. */
function encodeResult(block: ToolResultBlock, context: GeminiGenerateContext): JsonObject[] {
  const media: JsonObject[] = [];
  for (const part of block.content) {
    if (part.type === 'media') media.push(encodeOrRefuse(part, context));
    else if (part.type !== 'text') refuseResultPart(part, context);
  }
  const inside = context.traits.supportsMediaInResults === true;
  const functionResponse = omitUndefined({
    id: context.traits.supportsCallIds === false ? undefined : block.callId,
    name: adaptName(block.name ?? '', context, placeOf(block, 'messages')),
    response: writeResponse(block),
    parts: inside && media.length > 0 ? media : undefined,
  });
  return [{ functionResponse }, ...(inside ? [] : media)];
}

/** Google wants an object: one that the tool wrote is taken as it is. */
function writeResponse({ content, isError }: ToolResultBlock): JsonObject {
  const object = readResultObject(content);
  if (object && (!isError || 'error' in object)) return object;
  const text = textOfResult(content);
  return isError ? { error: text } : { output: text };
}
