import { omitUndefined } from '@mg/contract';
import type { Block } from '../canonical/blocks.js';
import type { ReplyContext } from '../canonical/codec.js';
import { isCallWhole, readInput } from '../canonical/json-text.js';
import { VERBATIM } from '../canonical/report-foreign-extensions.js';
import type { CanonicalChoice, CanonicalReply } from '../canonical/reply.js';
import { isObject, type JsonObject } from '../json.js';
import { encodeCitation } from './citations.js';
import { HOME } from './decode-content.js';
import { writeStopReason } from './map-stop-reason.js';
import { findFormat } from './media-formats.js';
import { encodeUsage } from './read-usage.js';

/** Writes a whole answer: the first choice, since this protocol knows only one. It names no model. */
export function encodeReply(reply: CanonicalReply, _context: ReplyContext): JsonObject {
  const choice = reply.choices[0];
  return {
    output: { message: { role: 'assistant', content: choice ? encodeContent(choice) : [] } },
    ...encodeEnd(choice ?? { stop: 'stop', stopSequence: undefined }),
    usage: encodeUsage(reply.usage),
    ...reply.ext[HOME],
  };
}

/** The members that say why an answer ended. */
export function encodeEnd({
  stop,
  stopSequence,
}: Pick<CanonicalChoice, 'stop' | 'stopSequence'>): JsonObject {
  return omitUndefined({
    stopReason: writeStopReason(stop),
    additionalModelResponseFields: stopSequence === undefined ? undefined : { stop_sequence: stopSequence },
  });
}

function encodeContent(choice: CanonicalChoice): JsonObject[] {
  const content = choice.blocks.flatMap((block) => encodeBlock(block, choice));
  return choice.refusal ? [...content, { text: choice.refusal }] : content;
}

/** Thoughts of other protocols are shown without their signatures: no client is there to send them back. */
function encodeBlock(block: Block, choice: CanonicalChoice): JsonObject[] {
  switch (block.type) {
    case 'text':
      return encodeText(block);
    case 'reasoning':
      return encodeReasoning(block);
    case 'tool-call': {
      if (choice.stop === 'length' && !isCallWhole(block)) return [];
      const toolUse = { toolUseId: block.id, name: block.name, input: readInput(block) };
      return [{ toolUse }];
    }
    case 'media':
      return encodeImage(block);
    case 'opaque':
      return block.protocol === HOME ? [block.raw] : [];
    case 'tool-result':
      return [];
  }
}

function encodeText(block: Extract<Block, { type: 'text' }>): JsonObject[] {
  const verbatim = block.ext?.[HOME]?.[VERBATIM];
  if (isObject(verbatim)) return [verbatim];
  const citations = (block.citations ?? []).map(encodeCitation).filter((citation) => citation !== undefined);
  if (citations.length > 0) return [{ citationsContent: { content: [{ text: block.text }], citations } }];
  return block.text === '' ? [] : [{ text: block.text }];
}

function encodeReasoning({ text, signature, redacted }: Extract<Block, { type: 'reasoning' }>): JsonObject[] {
  if (redacted)
    return redacted.protocol === HOME ? [{ reasoningContent: { redactedContent: redacted.value } }] : [];
  const own = signature?.protocol === HOME ? { signature: signature.value } : {};
  return text === '' && !('signature' in own)
    ? []
    : [{ reasoningContent: { reasoningText: { text, ...own } } }];
}

function encodeImage({ kind, source }: Extract<Block, { type: 'media' }>): JsonObject[] {
  if (kind !== 'image' || source.type !== 'bytes') return [];
  const format = findFormat(kind, source.mediaType);
  return format === undefined ? [] : [{ image: { format, source: { bytes: source.base64 } } }];
}
