import { randomUUID } from 'node:crypto';
import { omitUndefined } from '@mg/contract';
import type { Block, MediaBlock, ReasoningBlock, Signature, TextBlock } from '../canonical/blocks.js';
import { type CarriedKind, packSignature } from '../canonical/carry-signature.js';
import type { ReplyContext } from '../canonical/codec.js';
import { isCallWhole, readInput } from '../canonical/json-text.js';
import { cutDataUrl } from '../canonical/media-type.js';
import type { CanonicalChoice, CanonicalReply } from '../canonical/reply.js';
import type { JsonObject } from '../json.js';
import { joinTexts } from '../strict-json/joined-text.js';
import { carryCallId } from './carry-call-id.js';
import { encodeCitations } from './citations.js';
import { encodeUsage } from './encode-usage.js';
import { writeStopReason } from './map-stop-reason.js';

const HOME = 'anthropic-messages';
const ID_PREFIX = 'msg_';

/** Writes a whole message: the first choice, since this protocol knows only one. */
export function encodeReply(reply: CanonicalReply, context: ReplyContext): JsonObject {
  const choice = reply.choices[0];
  return {
    id: encodeId(reply.id),
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: choice ? encodeContent(choice) : [],
    ...encodeEnd(choice ?? { stop: 'stop', stopSequence: undefined, refusal: undefined }),
    usage: encodeUsage(reply.usage),
    ...reply.ext[HOME],
  };
}

/** An id as clients of this protocol know it. */
export function encodeId(id: string): string {
  if (id === '') return ID_PREFIX + randomUUID().replaceAll('-', '');
  return id.startsWith(ID_PREFIX) ? id : ID_PREFIX + id;
}

/** The members that say why a message ended. */
export function encodeEnd(end: Pick<CanonicalChoice, 'stop' | 'stopSequence' | 'refusal'>): JsonObject {
  return omitUndefined({
    stop_reason: writeStopReason(end.stop, end.stopSequence),
    stop_sequence: end.stop === 'stop-sequence' ? (end.stopSequence ?? null) : null,
    stop_details:
      end.stop === 'filtered' && end.refusal !== undefined
        ? { type: 'refusal', category: null, explanation: end.refusal }
        : undefined,
  });
}

/** A refusal that is the model's own words is shown as such. */
export function refusalAsText(end: Pick<CanonicalChoice, 'stop' | 'refusal'>): string | undefined {
  return end.stop === 'filtered' || end.refusal === '' ? undefined : end.refusal;
}

/** The signature of reasoning as this protocol's clients send it back: another's is wrapped. */
export function encodeSignature(signature: Signature, kind: CarriedKind): string {
  return signature.protocol === HOME ? signature.value : packSignature(signature, kind);
}

/** The thinking block in which the signature of a call travels: clients send back nothing but reasoning and calls. */
export function encodeCallSignature(signature: Signature): JsonObject {
  return { type: 'thinking', thinking: '', signature: packSignature(signature, 'call') };
}

/** Media has no block of its own in an answer; a text can point to it or hold it. @returns the text in pieces, the base64 being one. */
export function describeMedia(block: MediaBlock): readonly string[] {
  const { source } = block;
  if (source.type === 'text') return [source.text];
  if (source.type === 'file') return [];
  const url = source.type === 'url' ? [source.url] : cutDataUrl(source);
  return [block.kind === 'image' ? '![image](' : `[${block.name ?? block.kind}](`, ...url, ')'];
}

function encodeContent(choice: CanonicalChoice): JsonObject[] {
  const content = choice.blocks.flatMap((block) => encodeBlock(block, choice));
  const refusal = refusalAsText(choice);
  return refusal === undefined ? content : [...content, { type: 'text', text: refusal }];
}

function encodeBlock(block: Block, choice: CanonicalChoice): JsonObject[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [encodeText(block)];
    case 'reasoning':
      return encodeReasoning(block);
    case 'tool-call': {
      if (choice.stop === 'length' && !isCallWhole(block)) return [];
      const call = {
        type: 'tool_use',
        id: carryCallId(block.id),
        name: block.name,
        input: readInput(block),
        ...block.ext?.[HOME],
      };
      return block.signature ? [encodeCallSignature(block.signature), call] : [call];
    }
    case 'media': {
      const text = joinTexts(describeMedia(block));
      return text === '' ? [] : [{ type: 'text', text }];
    }
    case 'opaque':
      return block.protocol === HOME ? [block.raw] : [];
    case 'tool-result':
      return [];
  }
}

function encodeText(block: TextBlock): JsonObject {
  const citations = encodeCitations(block.citations);
  return {
    type: 'text',
    text: block.text,
    ...omitUndefined({ citations: citations.length > 0 ? citations : undefined }),
    ...block.ext?.[HOME],
  };
}

function encodeReasoning(block: ReasoningBlock): JsonObject[] {
  if (block.redacted) {
    return [{ type: 'redacted_thinking', data: encodeSignature(block.redacted, 'redacted') }];
  }
  if (block.text === '' && !block.signature) return [];
  const signature = block.signature ? encodeSignature(block.signature, 'thought') : '';
  return [{ type: 'thinking', thinking: block.text, signature }];
}
