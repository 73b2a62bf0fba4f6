import { omitUndefined } from '@mg/contract';
import type { Block, Citation, MediaBlock, MediaSource, TextBlock } from '../canonical/blocks.js';
import { readTextBytes } from '../canonical/media-in-slices.js';
import {
  guessMediaType,
  type InlineBytes,
  looksLikeDataUrl,
  parseDataUrl,
  readMediaKind,
} from '../canonical/media-type.js';
import { readNumber, readObject, readObjects, readText } from '../canonical/read-fields.js';
import { extend, pickRest } from '../canonical/check-fields.js';
import { placeAt } from '../canonical/places.js';
import { refuseField } from '../canonical/refuse.js';
import { VERBATIM } from '../canonical/report-foreign-extensions.js';
import type { JsonObject } from '../json.js';

const HOME = 'openai-responses';
const TEXT_FIELDS = new Set(['type', 'text', 'annotations', 'logprobs']);
const IMAGE_FIELDS = new Set(['type', 'image_url', 'file_id', 'detail']);
const FILE_FIELDS = new Set(['type', 'file_data', 'file_url', 'file_id', 'filename']);
const AUDIO_FIELDS = new Set(['type', 'input_audio']);

const READERS: Readonly<Record<string, (part: JsonObject, path: string) => Block>> = {
  input_text: decodeTextPart,
  output_text: decodeTextPart,
  text: decodeTextPart,
  summary_text: decodeTextPart,
  refusal: decodeRefusalPart,
  input_image: decodeImage,
  input_file: decodeFile,
  input_audio: decodeAudio,
};

/** @throws GatewayError `invalid_request` for a part of an unknown kind or without its content. */
export function decodeContentPart(part: JsonObject, path: string): Block {
  const type = readText(part.type) ?? '';
  const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
  return read
    ? placeAt(path, read(part, path))
    : refuseField(`${path}.type`, 'is not a known kind of content');
}

function decodeTextPart(part: JsonObject, path: string): TextBlock {
  const text = readText(part.text) ?? refuseField(`${path}.text`, 'must be a string');
  const citations = decodeAnnotations(part.annotations);
  const rest = extend(HOME, pickRest(part, TEXT_FIELDS));
  return {
    type: 'text',
    text,
    ...omitUndefined({ citations: citations.length === 0 ? undefined : citations }),
    ...rest,
  };
}

function decodeRefusalPart(part: JsonObject, path: string): TextBlock {
  const text = readText(part.refusal) ?? refuseField(`${path}.refusal`, 'must be a string');
  return { type: 'text', text, ext: { 'openai-responses': { [VERBATIM]: part } } };
}

function decodeImage(part: JsonObject, path: string): MediaBlock {
  const { detail } = part;
  return {
    type: 'media',
    kind: 'image',
    source: decodeImageSource(part, path),
    ...omitUndefined({
      detail: detail === 'low' || detail === 'high' || detail === 'auto' ? detail : undefined,
    }),
    ...extend(HOME, pickRest(part, IMAGE_FIELDS)),
  };
}

function decodeImageSource(part: JsonObject, path: string): MediaSource {
  const id = readText(part.file_id);
  if (id !== undefined) return placeAt(`${path}.file_id`, { type: 'file', id, protocol: 'openai-responses' });
  const url = readText(part.image_url) ?? refuseField(`${path}.image_url`, 'must be a URL');
  return decodeUrl(url, `${path}.image_url`);
}

function decodeUrl(url: string, path: string): MediaSource {
  const inline = parseDataUrl(url);
  if (inline) return placeAt(path, { type: 'bytes', ...inline });
  if (!/^https?:\/\//i.test(url)) refuseField(path, 'must be a data URL or an http address');
  return placeAt(path, { type: 'url', url, mediaType: guessMediaType(url) });
}

function decodeFile(part: JsonObject, path: string): MediaBlock {
  const name = readText(part.filename);
  const source = decodeFileSource(part, path, name);
  const kind =
    source.type === 'bytes' || source.type === 'url' ? readMediaKind(source.mediaType ?? '') : 'document';
  const rest = extend(HOME, pickRest(part, FILE_FIELDS));
  return { type: 'media', kind, source, ...omitUndefined({ name }), ...rest };
}

function decodeFileSource(part: JsonObject, path: string, name: string | undefined): MediaSource {
  const id = readText(part.file_id);
  if (id !== undefined) return placeAt(`${path}.file_id`, { type: 'file', id, protocol: 'openai-responses' });
  const url = readText(part.file_url);
  if (url !== undefined) return decodeUrl(url, `${path}.file_url`);
  const data = readText(part.file_data) ?? refuseField(path, 'must hold file_data, file_url or file_id');
  const bytes = parseDataUrl(data) ?? readBareBase64(data, `${path}.file_data`, name);
  return bytes.mediaType.startsWith('text/')
    ? readTextBytes(bytes.mediaType, bytes.base64)
    : placeAt(`${path}.file_data`, { type: 'bytes', ...bytes });
}

/** @throws GatewayError `invalid_request` for a `data:` URL that could not be read: it is no base64 itself. */
function readBareBase64(data: string, path: string, name: string | undefined): InlineBytes {
  if (looksLikeDataUrl(data)) {
    refuseField(path, 'is a data URL that cannot be read; it must be data:<media type>;base64,<base64>');
  }
  return { mediaType: sniff(data, name), base64: data };
}

/** Base64 of `%PDF-`. */
const PDF = 'JVBERi0';

/** Media type of bare base64, by what it begins with and by the file's name. */
function sniff(base64: string, name: string | undefined): string {
  if (base64.startsWith(PDF)) return 'application/pdf';
  return (name === undefined ? undefined : guessMediaType(name)) ?? 'application/octet-stream';
}

function decodeAudio(part: JsonObject, path: string): MediaBlock {
  const audio = readObject(part.input_audio) ?? refuseField(`${path}.input_audio`, 'must be an object');
  const base64 = readText(audio.data) ?? refuseField(`${path}.input_audio.data`, 'must be base64');
  const format = readText(audio.format) ?? refuseField(`${path}.input_audio.format`, 'must be wav or mp3');
  const source = { type: 'bytes' as const, mediaType: `audio/${format}`, base64 };
  const rest = extend(HOME, pickRest(part, AUDIO_FIELDS));
  return { type: 'media', kind: 'audio', source: placeAt(`${path}.input_audio`, source), ...rest };
}

/** Citations of addresses; those of files in the provider's own store mean nothing elsewhere. */
export function decodeAnnotations(annotations: unknown): Citation[] {
  return readObjects(annotations).flatMap((annotation) => decodeAnnotation(annotation) ?? []);
}

export function decodeAnnotation(annotation: JsonObject): Citation | undefined {
  if (annotation.type !== 'url_citation') return undefined;
  return {
    start: readNumber(annotation.start_index),
    end: readNumber(annotation.end_index),
    url: readText(annotation.url),
    title: readText(annotation.title),
    quote: undefined,
  };
}

/** `undefined` for a citation without an address: it has no place in this protocol. */
export function encodeAnnotation(citation: Citation, textLength: number): JsonObject | undefined {
  if (citation.url === undefined) return undefined;
  return {
    type: 'url_citation',
    start_index: citation.start ?? 0,
    end_index: citation.end ?? textLength,
    url: citation.url,
    title: citation.title ?? '',
  };
}
