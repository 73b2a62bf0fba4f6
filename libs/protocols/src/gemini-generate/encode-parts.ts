import { omitUndefined } from '@mg/contract';
import type { Block, MediaBlock, ReasoningBlock, Signature, ToolCallBlock } from '../canonical/blocks.js';
import { packSignature } from '../canonical/carry-signature.js';
import { readInput } from '../canonical/json-text.js';
import { base64OfSource } from '../canonical/media-in-slices.js';
import { guessMediaType } from '../canonical/media-type.js';
import { isObject, type JsonObject } from '../json.js';

/** A signature as a client of Google's protocol keeps it: Google's own as it is, others wrapped. */
function carrySignature(signature: Signature, kind: 'thought' | 'redacted'): string {
  return signature.protocol === 'gemini-generate' ? signature.value : packSignature(signature, kind);
}

/** Thoughts for a client; `undefined` when there is nothing left to give. */
export function encodeThought(block: ReasoningBlock, show: boolean): JsonObject | undefined {
  const { signature, redacted } = block;
  const thoughtSignature = redacted
    ? carrySignature(redacted, 'redacted')
    : signature && carrySignature(signature, 'thought');
  if (thoughtSignature === undefined)
    return show && block.text !== '' ? { text: block.text, thought: true } : undefined;
  if (block.text === '' && signature?.protocol === 'gemini-generate') return { text: '', thoughtSignature };
  return { text: show ? block.text : '', thought: true, thoughtSignature };
}

export function encodeCall(block: ToolCallBlock, name: string, id: string | undefined): JsonObject {
  const args = readInput(block);
  const functionCall = omitUndefined({ id, name, args });
  const own = block.signature?.protocol === 'gemini-generate' ? block.signature.value : undefined;
  return own === undefined ? { functionCall } : { functionCall, thoughtSignature: own };
}

const DEFAULT_TYPES = {
  image: 'image/jpeg',
  audio: 'audio/mp3',
  video: 'video/mp4',
  document: 'application/pdf',
};

/** Media as Google has them; `undefined` for a file that lies with another provider. */
export function encodeMedia(block: MediaBlock): JsonObject | undefined {
  const own = block.ext?.['gemini-generate'] ?? {};
  const extras = isObject(own.videoMetadata) ? { videoMetadata: own.videoMetadata } : {};
  const { source } = block;
  switch (source.type) {
    case 'bytes':
      return { inlineData: { mimeType: source.mediaType, data: source.base64 }, ...extras };
    case 'text':
      return {
        inlineData: { mimeType: 'text/plain', data: base64OfSource(source) },
      };
    case 'url': {
      const mimeType = source.mediaType ?? guessMediaType(source.url) ?? DEFAULT_TYPES[block.kind];
      return { fileData: { mimeType, fileUri: source.url }, ...extras };
    }
    case 'file': {
      if (source.protocol !== 'gemini-generate') return undefined;
      const mimeType = typeof own.mimeType === 'string' ? { mimeType: own.mimeType } : {};
      return { fileData: { ...mimeType, fileUri: source.id }, ...extras };
    }
    default:
      return unknownSource(source);
  }
}

function unknownSource(source: never): never {
  throw new TypeError(`unknown source ${JSON.stringify(source)}`);
}

/** Text, or the raw part of something that only Google knows; `undefined` for everything else. */
export function encodePlain(block: Block): JsonObject | undefined {
  if (block.type === 'text') return block.text === '' ? undefined : { text: block.text };
  return block.type === 'opaque' && block.protocol === 'gemini-generate' ? block.raw : undefined;
}
