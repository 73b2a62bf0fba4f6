import type { Block, MediaBlock } from '../canonical/blocks.js';
import { writeDataUrl } from '../canonical/media-type.js';
import { refuseContent } from '../canonical/refuse.js';
import { VERBATIM } from '../canonical/report-foreign-extensions.js';
import { isObject, type JsonObject } from '../json.js';
import type { OpenAiResponsesContext } from './traits.js';

/** Text of an assistant's message, as it was where it came from this protocol. */
export function encodeAssistantText(block: Extract<Block, { type: 'text' }>): JsonObject {
  const verbatim = block.ext?.['openai-responses']?.[VERBATIM];
  return isObject(verbatim) ? verbatim : { type: 'output_text', text: block.text, annotations: [] };
}

/** @throws GatewayError `invalid_request` for media that the protocol has no place for. */
export function encodeMedia(block: MediaBlock, context: OpenAiResponsesContext): JsonObject {
  switch (block.kind) {
    case 'image':
      return encodeImage(block, context);
    case 'audio':
      return encodeAudio(block, context);
    case 'document':
      return encodeDocument(block, context);
    case 'video':
      return refuseContent(block.source, 'it takes no video', context);
    default:
      return refuseContent(block.source, 'it takes no media of this kind', context);
  }
}

function encodeImage({ source, detail }: MediaBlock, context: OpenAiResponsesContext): JsonObject {
  const shown = { detail: detail ?? 'auto' };
  switch (source.type) {
    case 'bytes':
      return { type: 'input_image', image_url: writeDataUrl(source), ...shown };
    case 'url':
      return { type: 'input_image', image_url: webAddress(source, context), ...shown };
    case 'file':
      return { type: 'input_image', file_id: ownFile(source, context), ...shown };
    case 'text':
      return refuseContent(source, 'an image cannot be text', context);
    default:
      return refuseContent(source, 'it takes no images from such a source', context);
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};

function encodeAudio({ source }: MediaBlock, context: OpenAiResponsesContext): JsonObject {
  const format = source.type === 'bytes' ? FORMATS[source.mediaType.split(';', 1)[0] ?? ''] : undefined;
  if (source.type !== 'bytes' || format === undefined) {
    return refuseContent(source, 'it takes audio as wav or mp3 in the request only', context);
  }
  return { type: 'input_audio', input_audio: { data: source.base64, format } };
}

function encodeDocument({ source, name }: MediaBlock, context: OpenAiResponsesContext): JsonObject {
  switch (source.type) {
    case 'bytes':
      return {
        type: 'input_file',
        filename: nameFile(name, source.mediaType),
        file_data: writeDataUrl(source),
      };
    case 'url':
      return { type: 'input_file', file_url: webAddress(source, context) };
    case 'file':
      return { type: 'input_file', file_id: ownFile(source, context) };
    case 'text':
      return { type: 'input_text', text: name === undefined ? source.text : `${name}\n\n${source.text}` };
    default:
      return refuseContent(source, 'it takes no documents from such a source', context);
  }
}

function webAddress(
  source: Extract<MediaBlock['source'], { type: 'url' }>,
  context: OpenAiResponsesContext,
): string {
  if (/^https?:\/\//i.test(source.url)) return source.url;
  return refuseContent(source, 'it fetches media over http and https only', context);
}

/** The provider wants a name, and derives the type from its extension. */
function nameFile(name: string | undefined, mediaType: string): string {
  const base = name ?? 'document';
  return mediaType === 'application/pdf' && !/\.pdf$/i.test(base) ? `${base}.pdf` : base;
}

function ownFile(
  source: Extract<MediaBlock['source'], { type: 'file' }>,
  context: OpenAiResponsesContext,
): string {
  if (source.protocol === 'openai-responses' || source.protocol === 'openai-chat') return source.id;
  return refuseContent(source, 'they hold a file that was uploaded to another provider', context);
}
