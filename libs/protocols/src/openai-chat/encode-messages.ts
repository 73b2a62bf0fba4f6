import { omitUndefined } from '@mg/contract';
import { arrangeToolResults } from '../canonical/arrange-tool-results.js';
import { moveImages } from '../canonical/move-images.js';
import type { Block, ReasoningBlock, ToolCallBlock, ToolResultBlock, Turn } from '../canonical/blocks.js';
import { shortenCallId } from '../canonical/call-ids.js';
import { limitLeading } from '../canonical/limit-items.js';
import { nameOpaque } from '../canonical/name-opaque.js';
import { placeOf } from '../canonical/places.js';
import { refuseContent, refuseEmpty } from '../canonical/refuse.js';
import { refuseResultPart } from '../canonical/refuse-result-part.js';
import type { Steps } from '../canonical/steps.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { JsonObject } from '../json.js';
import { writeCallSignature, writeThinkingBlock } from './carry-reasoning.js';
import { encodeMedia, encodeParts } from './encode-parts.js';
import { encodeToolName } from './encode-tools.js';
import { writeDetail } from './reasoning-details.js';
import type { OpenAiChatContext } from './traits.js';

const HOME = 'openai-chat';
const MAX_CALL_ID = 40;

/**
 * Writes the conversation: results of tools as messages of their own right after the turn that called them, their media
 * in a user message behind.
 *
 * @throws GatewayError
 */
export function* encodeMessages(request: CanonicalRequest, context: OpenAiChatContext): Steps<JsonObject[]> {
  const messages: JsonObject[] = [];
  /** Media of results, waiting for the user message that follows. */
  let attached: JsonObject[] = [];
  const turns = yield* arrangeToolResults(moveImages(mergeLeadingSystem(request.turns, context)));
  for (const [index, turn] of turns.entries()) {
    yield;
    const results = turn.blocks.filter((block) => block.type === 'tool-result');
    if (results.length > 0) {
      messages.push(...results.map((result) => encodeResult(result, context)));
      attached.push(...results.flatMap((result) => encodeAttached(result, context)));
    } else if (turn.role === 'user') {
      const message = encodeUser(turn, attached, context);
      attached = [];
      if (message) messages.push(message);
    } else {
      const message =
        turn.role === 'system' ? encodeSystem(turn, index, context) : encodeAssistant(turn, context);
      if (message) messages.push(message);
    }
    if (attached.length > 0 && turns[index + 1]?.role !== 'user') {
      messages.push({ role: 'user', content: attached });
      attached = [];
    }
  }
  if (messages.length === 0) refuseEmpty(context);
  return messages;
}

/** Upstreams that take a system turn only at the start take only one. */
function mergeLeadingSystem(turns: readonly Turn[], context: OpenAiChatContext): readonly Turn[] {
  if (context.traits.supportsLaterSystemTurns !== false) return turns;
  const firstOther = turns.findIndex((turn) => turn.role !== 'system');
  const leading = turns.slice(0, firstOther < 0 ? turns.length : firstOther);
  if (leading.length < 2) return turns;
  limitLeading(leading, context);
  return [{ role: 'system', blocks: leading.flatMap((turn) => turn.blocks) }, ...turns.slice(leading.length)];
}

function encodeSystem(turn: Turn, index: number, context: OpenAiChatContext): JsonObject | undefined {
  for (const block of turn.blocks) {
    if (block.type === 'media') refuseContent(block.source, 'its system prompt is text alone', context);
    reportLost(block, context);
  }
  const text = joinText(turn.blocks, '\n\n');
  if (text === '') return undefined;
  if (context.traits.supportsLaterSystemTurns === false && index > 0) {
    return { role: 'user', content: `<system-reminder>\n${text}\n</system-reminder>` };
  }
  const isMarked = turn.blocks.some((block) => block.type === 'text' && block.ext?.[HOME]);
  return {
    role: context.traits.supportsDeveloperRole ? 'developer' : 'system',
    content: isMarked ? encodeParts(turn.blocks, context) : text,
    ...turn.ext?.[HOME],
  };
}

function encodeUser(
  turn: Turn,
  attached: readonly JsonObject[],
  context: OpenAiChatContext,
): JsonObject | undefined {
  const parts = [...attached, ...encodeParts(turn.blocks, context)];
  const [only, ...others] = parts;
  if (!only) return undefined;
  const plain = others.length === 0 && only.type === 'text' && Object.keys(only).length === 2;
  return { role: 'user', content: plain ? only.text : parts, ...turn.ext?.[HOME] };
}

function encodeAssistant(turn: Turn, context: OpenAiChatContext): JsonObject | undefined {
  for (const block of turn.blocks) reportLost(block, context);
  const text = joinText(turn.blocks, '');
  const calls = turn.blocks.filter((block) => block.type === 'tool-call');
  if (text === '' && calls.length === 0) return undefined;
  const reasoning = turn.blocks.filter((block) => block.type === 'reasoning');
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...encodeReasoning(reasoning, context),
    ...omitUndefined({
      tool_calls: calls.length > 0 ? calls.map((call) => encodeCall(call, context)) : undefined,
    }),
    ...turn.ext?.[HOME],
  };
}

/** What an assistant's turn cannot carry here: media it made, and what another provider's tools did. */
function reportLost(block: Block, context: OpenAiChatContext): void {
  if (block.type === 'media') context.dropped.add(`messages.${block.kind}`);
  if (block.type === 'opaque' && block.protocol !== HOME) {
    context.dropped.add(`messages.${nameOpaque(block)}`);
  }
}

/** Thoughts go back only where they must be replayed, and only those of an upstream of this protocol. */
function encodeReasoning(reasoning: readonly ReasoningBlock[], context: OpenAiChatContext): JsonObject {
  const own =
    context.traits.acceptsReasoningFields === false ? [] : reasoning.filter((block) => isOwn(block));
  const kept = context.traits.acceptsReasoningHistory
    ? own
    : own.filter((block) => block.signature ?? block.redacted);
  if (kept.length < reasoning.length) context.dropped.add('messages.thinking');
  const details: JsonObject[] = [];
  const others: ReasoningBlock[] = [];
  for (const block of kept) {
    const detail = writeDetail(block);
    if (detail) details.push(detail);
    else others.push(block);
  }
  const text = others.map((block) => block.text).join('');
  const signed = others
    .map((block) => writeThinkingBlock(block, HOME))
    .filter((block) => block !== undefined);
  return omitUndefined({
    reasoning_details: details.length > 0 ? details : undefined,
    [context.traits.reasoningField ?? 'reasoning_content']: text === '' ? undefined : text,
    thinking_blocks: signed.length > 0 ? signed : undefined,
  });
}

function isOwn(block: ReasoningBlock): boolean {
  const protocol = (block.signature ?? block.redacted)?.protocol;
  return protocol === undefined || protocol === HOME;
}

function encodeCall(call: ToolCallBlock, context: OpenAiChatContext): JsonObject {
  const own = call.signature?.protocol === HOME && context.traits.acceptsReasoningFields !== false;
  if (call.signature && !own) context.dropped.add('thought_signature');
  return {
    id: shortenCallId(call.id, MAX_CALL_ID),
    type: 'function',
    function: {
      name: encodeToolName(call.name, context, `${placeOf(call, 'messages')}.name`),
      arguments: call.arguments === '' ? '{}' : call.arguments,
    },
    ...writeCallSignature(own ? call.signature : undefined, HOME),
  };
}

/** A result is text alone: an error says so as text, and media that follows is pointed to. */
function encodeResult(result: ToolResultBlock, context: OpenAiChatContext): JsonObject {
  const media = result.content.some((part) => part.type === 'media' && !isTextual(part));
  const texts = result.content.map((part) => readTextual(part, context)).filter((text) => text !== '');
  const text = texts.length === 0 && media ? 'See the attachment below.' : texts.join('\n');
  const content = result.isError && !text.startsWith('Error') ? `Error: ${text}` : text;
  return {
    role: 'tool',
    tool_call_id: shortenCallId(result.callId, MAX_CALL_ID),
    content,
    ...result.ext?.[HOME],
  };
}

function readTextual(part: ToolResultBlock['content'][number], context: OpenAiChatContext): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'opaque') return refuseResultPart(part, context);
  if (!isTextual(part)) return '';
  const encoded = encodeMedia(part, context);
  return typeof encoded.text === 'string' ? encoded.text : '';
}

function isTextual(part: ToolResultBlock['content'][number]): boolean {
  if (part.type !== 'media') return false;
  const { source } = part;
  return (
    source.type === 'text' ||
    (source.type === 'bytes' && /^(text\/|application\/json$)/.test(source.mediaType))
  );
}

function encodeAttached(result: ToolResultBlock, context: OpenAiChatContext): JsonObject[] {
  const media = result.content.filter((part) => part.type === 'media').filter((part) => !isTextual(part));
  if (media.length === 0) return [];
  const label = `Output of ${result.name ?? 'the tool'} (${result.callId}):`;
  return [{ type: 'text', text: label }, ...media.map((part) => encodeMedia(part, context))];
}

function joinText(blocks: readonly Block[], separator: string): string {
  return blocks
    .map((block) => (block.type === 'text' ? block.text : ''))
    .filter((text) => text !== '')
    .join(separator);
}
