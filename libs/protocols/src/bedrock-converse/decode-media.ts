import { omitUndefined } from '@mg/contract';
import type { MediaBlock, MediaKind, MediaSource } from '../canonical/blocks.js';
import { checkObject, checkText, extend, needText, pickRest } from '../canonical/check-fields.js';
import { readObjects, readText } from '../canonical/read-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { findMediaType } from './media-formats.js';

const HOME = 'bedrock-converse';

/** Kinds of media: each names its block. */
export const MEDIA_KINDS: readonly MediaKind[] = ['image', 'document', 'video', 'audio'];

const FIELDS = new Set(['format', 'source', 'name']);

/** Reads an image, a document, a video or an audio clip. @throws GatewayError */
export function decodeMedia(kind: MediaKind, value: JsonObject, path: string): MediaBlock {
  const place = `${path}.${kind}`;
  const name = checkText(value, 'name', place);
  const format = checkText(value, 'format', place) ?? 'txt';
  return {
    type: 'media',
    kind,
    source: decodeSource(checkObject(value, 'source', place), findMediaType(kind, format), place),
    ...omitUndefined({ name }),
    ...extend(HOME, pickRest(value, FIELDS)),
  };
}

/** Bytes travel as base64. What lies in S3 is a file that means nothing to other providers. */
function decodeSource(source: JsonObject | undefined, mediaType: string, path: string): MediaSource {
  if (typeof source?.bytes === 'string') return { type: 'bytes', mediaType, base64: source.bytes };
  if (typeof source?.text === 'string') return { type: 'text', text: source.text };
  if (Array.isArray(source?.content)) {
    const texts = readObjects(source.content).map((part) => readText(part.text) ?? '');
    return { type: 'text', text: texts.join('\n') };
  }
  const stored = source && checkObject(source, 's3Location', `${path}.source`);
  if (!stored) return refuseField(`${path}.source`, 'must have bytes, text, content or s3Location');
  return { type: 'file', id: needText(stored, 'uri', `${path}.source.s3Location`), protocol: HOME };
}
