import { isBlank } from '../canonical/blank-text.js';
import { omitUndefined } from '@mg/contract';
import type { Block, ReasoningBlock, TextBlock, ToolResultBlock } from '../canonical/blocks.js';
import type { CallIds } from '../canonical/call-ids.js';
import { readInput } from '../canonical/json-text.js';
import { leaveOutOpaque } from '../canonical/leave-out-opaque.js';
import { placeOf } from '../canonical/places.js';
import { refuseResultPart } from '../canonical/refuse-result-part.js';
import { VERBATIM } from '../canonical/report-foreign-extensions.js';
import { isObject, type JsonObject } from '../json.js';
import { HOME } from './decode-content.js';
import { type DocumentNames, encodeMedia } from './encode-media.js';
import { encodeToolName } from './encode-tools.js';
import type { BedrockConverseContext } from './traits.js';

/** Stands for a result without content: the provider refuses one that is empty. */
const NO_OUTPUT = 'The tool returned nothing.';

/** What the blocks of a request are written with. */
export interface ContentContext extends BedrockConverseContext {
  readonly callIds: CallIds;
  readonly documentNames: DocumentNames;
}

/** Writes the blocks of one turn; those without content, or with content of another provider, are left out. */
export function encodeContent(
  blocks: readonly Block[],
  role: 'user' | 'assistant',
  context: ContentContext,
): JsonObject[] {
  return blocks.flatMap((block) => {
    const encoded = encodeBlock(block, role, context);
    if (!encoded) return [];
    const mark = block.type === 'opaque' ? undefined : block.ext?.[HOME]?.cachePoint;
    return mark === undefined ? [encoded] : [encoded, { cachePoint: mark }];
  });
}

function encodeBlock(
  block: Block,
  role: 'user' | 'assistant',
  context: ContentContext,
): JsonObject | undefined {
  switch (block.type) {
    case 'text':
      return encodeText(block);
    case 'reasoning':
      return encodeReasoning(block, context);
    case 'media':
      if (role === 'user') return encodeMedia(block, context.documentNames, context);
      context.dropped.add(`messages.${block.kind}`);
      return undefined;
    case 'tool-call':
      return {
        toolUse: {
          toolUseId: context.callIds.add(block.id),
          name: encodeToolName(block.name, context, `${placeOf(block, 'messages')}.name`),
          input: readInput(block),
        },
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
  const verbatim = block.ext?.[HOME]?.[VERBATIM];
  if (isObject(verbatim)) return verbatim;
  return isBlank(block.text) ? undefined : { text: block.text };
}

/** Thoughts go back only to where they came from; unsigned ones only where they must be replayed. */
function encodeReasoning(block: ReasoningBlock, context: BedrockConverseContext): JsonObject | undefined {
  if (block.redacted?.protocol === HOME) {
    return { reasoningContent: { redactedContent: block.redacted.value } };
  }
  if (block.signature?.protocol === HOME) {
    return { reasoningContent: { reasoningText: { text: block.text, signature: block.signature.value } } };
  }
  const unsigned = !block.signature && !block.redacted && block.text !== '';
  if (unsigned && context.traits.acceptsReasoningHistory) {
    return { reasoningContent: { reasoningText: { text: block.text } } };
  }
  context.dropped.add('messages.thinking');
  return undefined;
}

function encodeToolResult(block: ToolResultBlock, context: ContentContext): JsonObject {
  const parts = block.content
    .map((part) => encodeResultPart(part, context))
    .filter((part) => part !== undefined);
  return {
    toolResult: {
      toolUseId: context.callIds.find(block.callId),
      content: parts.length > 0 ? parts : [{ text: NO_OUTPUT }],
      ...omitUndefined({ status: block.isError ? 'error' : undefined }),
    },
  };
}

function encodeResultPart(
  part: ToolResultBlock['content'][number],
  context: ContentContext,
): JsonObject | undefined {
  if (part.type === 'text') return encodeText(part);
  if (part.type === 'media') return encodeMedia(part, context.documentNames, context);
  if (part.protocol === HOME) return part.raw;
  return refuseResultPart(part, context);
}
