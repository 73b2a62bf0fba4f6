import { refuseField } from '../canonical/refuse.js';
import type { StoredFile } from '../exchange/stored-bytes.js';
import type { ImageSource } from './image.js';
import { MAX_IMAGES } from './request-schema.js';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const IMAGE_HEADER = Buffer.from('IHDR');
/** Signature, length and name of the first chunk, width and height. */
const SMALLEST_PNG_BYTES = 24;
/** Specification, section 8: smaller than 4 MB. */
const FIRST_BYTES_TOO_MANY = 4 * 1024 * 1024;
/** Of base64: more than the smallest PNG has, line breaks included. */
const CHECKED_CHARACTERS = 256;
/** Of the base64 of the largest image; line breaks are a twentieth of it at most. */
const MOST_CHARACTERS = 6 * 1024 * 1024;
/** Of base64 that may have line breaks: hundreds of lines. */
const MEASURED_CHARACTERS = 64 * 1024;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,/i;

/** An image to work on: PNG by its content, and smaller than 4 MB. @throws GatewayError `invalid_request` */
export function checkPng(bytes: Buffer | StoredFile, name: string): ImageSource {
  if (bytes.length >= FIRST_BYTES_TOO_MANY) refuseField(name, 'must be smaller than 4 MB');
  checkPngHead(Buffer.isBuffer(bytes) ? bytes : bytes.head, name);
  return { kind: 'bytes', bytes, mediaType: 'image/png' };
}

/** What an image begins with says whether it is PNG. @throws GatewayError `invalid_request` */
export function checkPngHead(head: Buffer, name: string): void {
  const isPng =
    head.length >= SMALLEST_PNG_BYTES &&
    head.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE) &&
    head.subarray(12, 16).equals(IMAGE_HEADER);
  if (!isPng) refuseField(name, 'must be a PNG image');
}

/** Megabytes are not decoded: what an image begins with says what it is, and its length says how large. */
function checkBase64Png(text: string, name: string): ImageSource {
  const isTooLarge = text.length > MOST_CHARACTERS || countBytes(text) >= FIRST_BYTES_TOO_MANY;
  if (isTooLarge) refuseField(name, 'must be smaller than 4 MB');
  checkPngHead(Buffer.from(text.slice(0, CHECKED_CHARACTERS), 'base64'), name);
  return { kind: 'base64', text, mediaType: 'image/png' };
}

/** Bytes that base64 stands for; a look at the first lines says how much of them are line breaks. */
function countBytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const lines = text.slice(0, MEASURED_CHARACTERS);
  const digits = lines.length === 0 ? 0 : lines.replaceAll(/\s/g, '').length / lines.length;
  return Math.floor(((text.length * digits - padding) * 3) / 4);
}

/** An image by `data:` URL, checked like any other, or by an address that the channel fetches. @throws GatewayError */
export function checkImageUrl(url: string, name: string): ImageSource {
  const [head] = DATA_URL.exec(url.slice(0, 256)) ?? [];
  if (head !== undefined) return checkBase64Png(url.slice(head.length), name);
  return /^https?:\/\//i.test(url) ? { kind: 'url', url } : refuseField(name, 'must be an https or data URL');
}

/** There has to be an image, and not too many. @throws GatewayError */
export function checkImages<Image>(images: readonly Image[], name: string): readonly Image[] {
  if (images.length === 0) refuseField(name, 'is needed');
  if (images.length > MAX_IMAGES) refuseField(name, `must hold at most ${MAX_IMAGES} images`);
  return images;
}
