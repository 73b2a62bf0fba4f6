import type { Block, MediaBlock, TextBlock } from '../canonical/blocks.js';
import { textOfSource } from '../canonical/media-in-slices.js';
import { writeDataUrl } from '../canonical/media-type.js';
import { nameOpaque } from '../canonical/name-opaque.js';
import { refuseContent } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import type { OpenAiChatContext } from './traits.js';

const HOME = 'openai-chat';
const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};

/** Writes what a user says; content of another provider that has no counterpart is refused. @throws GatewayError */
export function encodeParts(blocks: readonly Block[], context: OpenAiChatContext): JsonObject[] {
  return blocks.map((block) => encodePart(block, context)).filter((part) => part !== undefined);
}

function encodePart(block: Block, context: OpenAiChatContext): JsonObject | undefined {
  switch (block.type) {
    case 'text':
      return encodeText(block);
    case 'media':
      return encodeMedia(block, context);
    case 'opaque': {
      if (block.protocol === HOME) return block.raw;
      const type = JSON.stringify(nameOpaque(block));
      return refuseContent(block, `it has no content of type ${type}`, context);
    }
    default:
      return undefined;
  }
}

function encodeText(block: TextBlock): JsonObject | undefined {
  return block.text === '' ? undefined : { type: 'text', text: block.text, ...block.ext?.[HOME] };
}

/** Writes media as a part. @throws GatewayError for what this protocol does not take. */
export function encodeMedia(block: MediaBlock, context: OpenAiChatContext): JsonObject {
  const { source } = block;
  const ext = block.ext?.[HOME];
  switch (source.type) {
    case 'text':
      return encodeDocumentText(block, source.text);
    case 'file':
      if (
        source.protocol !== HOME &&
        !(source.protocol === 'openai-responses' && block.kind === 'document')
      ) {
        refuseContent(source, `the file ${source.id} was uploaded to another provider`, context);
      }
      return { type: 'file', file: { file_id: source.id }, ...ext };
    case 'url':
      if (block.kind !== 'image') {
        refuseContent(source, `it takes a ${block.kind} only as data, not by URL`, context);
      }
      return { type: 'image_url', image_url: { url: source.url, ...writeDetail(block) }, ...ext };
    case 'bytes':
      return { ...encodeBytes(block, source, context), ...ext };
  }
}

function encodeBytes(
  block: MediaBlock,
  source: Extract<MediaBlock['source'], { type: 'bytes' }>,
  context: OpenAiChatContext,
): JsonObject {
  const { mediaType, base64 } = source;
  if (block.kind === 'image') {
    return { type: 'image_url', image_url: { url: writeDataUrl(source), ...writeDetail(block) } };
  }
  if (block.kind === 'audio' && Object.hasOwn(AUDIO_FORMATS, mediaType)) {
    return { type: 'input_audio', input_audio: { data: base64, format: AUDIO_FORMATS[mediaType] } };
  }
  if (mediaType === 'application/pdf') {
    return {
      type: 'file',
      file: { filename: nameFile(block), file_data: writeDataUrl(source) },
    };
  }
  if (mediaType.startsWith('text/') || mediaType === 'application/json') {
    return encodeDocumentText(block, textOfSource(source));
  }
  return refuseContent(source, `it takes no media of type ${mediaType}`, context);
}

/** The provider wants a name, and derives the type from its extension. */
function nameFile(block: MediaBlock): string {
  const name = block.name ?? 'document.pdf';
  return /\.pdf$/i.test(name) ? name : `${name}.pdf`;
}

/** A document that is text is read as text, with its title and its description. */
function encodeDocumentText(block: MediaBlock, text: string): JsonObject {
  const context = block.ext?.['anthropic-messages']?.context;
  const lines = [block.name, typeof context === 'string' ? context : undefined, text];
  return { type: 'text', text: lines.filter((line) => line).join('\n\n') };
}

function writeDetail(block: MediaBlock): { detail?: string } {
  return block.detail === undefined ? {} : { detail: block.detail };
}
