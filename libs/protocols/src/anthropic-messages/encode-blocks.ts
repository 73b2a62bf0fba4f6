import { isBlank } from '../canonical/blank-text.js';
import { omitUndefined } from '@mg/contract';
import type { Block, MediaBlock, ReasoningBlock, TextBlock, ToolResultBlock } from '../canonical/blocks.js';
import { readInput } from '../canonical/json-text.js';
import { textOfSource } from '../canonical/media-in-slices.js';
import { leaveOutOpaque } from '../canonical/leave-out-opaque.js';
import { isTextType } from '../canonical/media-type.js';
import { placeOf } from '../canonical/places.js';
import { refuseContent } from '../canonical/refuse.js';
import { refuseResultPart } from '../canonical/refuse-result-part.js';
import { VERBATIM } from '../canonical/report-foreign-extensions.js';
import { isObject, type JsonObject } from '../json.js';
import { encodeCitations } from './citations.js';
import type { CallIds } from '../canonical/call-ids.js';
import { encodeToolName } from './encode-tools.js';
import type { AnthropicMessagesContext } from './traits.js';

const HOME = 'anthropic-messages';
const IMAGE_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** What the blocks of a request are written with. */
export interface BlockContext extends AnthropicMessagesContext {
  readonly callIds: CallIds;
}

/** Writes the blocks of one turn; those without content, or with content of another provider, are left out. */
export function encodeBlocks(
  blocks: readonly Block[],
  role: 'user' | 'assistant',
  context: BlockContext,
): JsonObject[] {
  return blocks.map((block) => encodeBlock(block, role, context)).filter((block) => block !== undefined);
}

function encodeBlock(
  block: Block,
  role: 'user' | 'assistant',
  context: BlockContext,
): JsonObject | undefined {
  switch (block.type) {
    case 'text':
      return encodeText(block);
    case 'reasoning':
      return encodeReasoning(block, context);
    case 'media':
      if (role === 'user') return encodeMedia(block, context);
      context.dropped.add(`messages.${block.kind}`);
      return undefined;
    case 'tool-call':
      return {
        type: 'tool_use',
        id: context.callIds.add(block.id),
        name: encodeToolName(block.name, context, `${placeOf(block, 'messages')}.name`),
        input: readInput(block),
        ...block.ext?.[HOME],
      };
    case 'tool-result':
      return encodeToolResult(block, context);
    case 'opaque':
      if (block.protocol === HOME) return block.raw;
      return leaveOutOpaque(block, role, context);
  }
}

/** Blank text is refused by the provider. */
function encodeText(block: TextBlock): JsonObject | undefined {
  const { [VERBATIM]: verbatim, ...ext } = block.ext?.[HOME] ?? {};
  if (isObject(verbatim)) return verbatim;
  if (isBlank(block.text)) return undefined;
  const citations = (block.citations ?? []).filter((citation) => citation.ext?.[HOME]);
  return {
    type: 'text',
    text: block.text,
    ...omitUndefined({ citations: citations.length > 0 ? encodeCitations(citations) : undefined }),
    ...ext,
  };
}

/** Thoughts go back only to where they came from; unsigned ones only where they must be replayed. */
function encodeReasoning(block: ReasoningBlock, context: AnthropicMessagesContext): JsonObject | undefined {
  if (block.redacted?.protocol === HOME) return { type: 'redacted_thinking', data: block.redacted.value };
  if (block.signature?.protocol === HOME) {
    return { type: 'thinking', thinking: block.text, signature: block.signature.value };
  }
  const unsigned = !block.signature && !block.redacted && block.text !== '';
  if (unsigned && context.traits.acceptsReasoningHistory) {
    return { type: 'thinking', thinking: block.text, signature: '' };
  }
  context.dropped.add('messages.thinking');
  return undefined;
}

function encodeMedia(block: MediaBlock, context: AnthropicMessagesContext): JsonObject {
  if (block.detail === 'low' || block.detail === 'high') context.dropped.add('detail');
  if (block.kind === 'audio' || block.kind === 'video') {
    return refuseContent(block.source, `it takes no ${block.kind}`, context);
  }
  const { source } = block;
  if (source.type === 'file') {
    if (source.protocol !== HOME) {
      refuseContent(source, `the file ${source.id} was uploaded to another provider`, context);
    }
    return wrapSource(block, { type: 'file', file_id: source.id });
  }
  if (source.type === 'url') {
    if (!/^https:/i.test(source.url)) {
      refuseContent(source, 'it fetches media over https only', context);
    }
    return wrapSource(block, { type: 'url', url: source.url });
  }
  if (source.type === 'text') return wrapText(block, source.text);
  return encodeBytes(block, source, context);
}

function encodeBytes(
  block: MediaBlock,
  source: Extract<MediaBlock['source'], { type: 'bytes' }>,
  context: AnthropicMessagesContext,
): JsonObject {
  const { mediaType } = source;
  if (block.kind === 'image' ? IMAGE_TYPES.has(mediaType) : mediaType === 'application/pdf') {
    return wrapSource(block, { type: 'base64', media_type: mediaType, data: source.base64 });
  }
  if (isTextType(mediaType)) {
    return wrapText(block, textOfSource(source));
  }
  return refuseContent(source, `it takes no media of type ${mediaType}`, context);
}

function wrapText(block: MediaBlock, text: string): JsonObject {
  return wrapSource(block, { type: 'text', media_type: 'text/plain', data: text });
}

function wrapSource(block: MediaBlock, source: JsonObject): JsonObject {
  const ext = block.ext?.[HOME];
  if (block.kind === 'image') return { type: 'image', source, ...ext };
  return { type: 'document', source, ...omitUndefined({ title: block.name }), ...ext };
}

function encodeToolResult(block: ToolResultBlock, context: BlockContext): JsonObject {
  const parts = block.content
    .map((part) => encodeResultPart(part, context))
    .filter((part) => part !== undefined);
  const plain = parts.length === 1 && isPlainText(parts[0]);
  return {
    type: 'tool_result',
    tool_use_id: context.callIds.find(block.callId),
    ...omitUndefined({
      content: parts.length > 0 ? (plain ? parts[0]?.text : parts) : undefined,
      is_error: block.isError ? true : undefined,
    }),
    ...block.ext?.[HOME],
  };
}

function encodeResultPart(
  part: ToolResultBlock['content'][number],
  context: BlockContext,
): JsonObject | undefined {
  if (part.type === 'text') return encodeText(part);
  if (part.type === 'media') return encodeMedia(part, context);
  if (part.protocol === HOME) return part.raw;
  return refuseResultPart(part, context);
}

/** Whether a block is text and nothing more, so that a plain string says the same. */
export function isPlainText(block: JsonObject | undefined): boolean {
  return block?.type === 'text' && Object.keys(block).length === 2;
}
