import { checkCount, checkText } from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { StoredFile } from '../exchange/stored-bytes.js';
import type { JsonObject } from '../json.js';
import type { ImageSize, ImageSource } from './image.js';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const IMAGE_HEADER = Buffer.from('IHDR');
/** Signature, length and name of the first chunk, width and height. */
const SMALLEST_PNG_BYTES = 24;
/** Specification, section 8: smaller than 4 MB. */
const FIRST_BYTES_TOO_MANY = 4 * 1024 * 1024;
const SIZE = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/;
const MAX_COUNT = 10;
const MAX_IMAGES = 16;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,/i;

/** A picture to work on: PNG by its content, and smaller than 4 MB. @throws GatewayError `invalid_request` */
export function checkPng(bytes: Buffer | StoredFile, name: string): ImageSource {
  if (bytes.length >= FIRST_BYTES_TOO_MANY) refuseField(name, 'must be smaller than 4 MB');
  checkPngHead(Buffer.isBuffer(bytes) ? bytes : bytes.head, name);
  return { kind: 'bytes', bytes, mediaType: 'image/png' };
}

/** What a picture begins with says whether it is PNG. @throws GatewayError `invalid_request` */
export function checkPngHead(head: Buffer, name: string): void {
  const isPng =
    head.length >= SMALLEST_PNG_BYTES &&
    head.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE) &&
    head.subarray(12, 16).equals(IMAGE_HEADER);
  if (!isPng) refuseField(name, 'must be a PNG image');
}

/** A picture by `data:` URL, checked like any other, or by an address that the channel fetches. @throws GatewayError */
export function checkImageUrl(url: string, name: string): ImageSource {
  const [head] = DATA_URL.exec(url.slice(0, 256)) ?? [];
  if (head !== undefined) return checkPng(Buffer.from(url.slice(head.length), 'base64'), name);
  return /^https?:\/\//i.test(url) ? { kind: 'url', url } : refuseField(name, 'must be an https or data URL');
}

/** There has to be a picture, and not too many. @throws GatewayError */
export function checkImages(images: readonly ImageSource[], name: string): readonly ImageSource[] {
  if (images.length === 0) refuseField(name, 'is needed');
  if (images.length > MAX_IMAGES) refuseField(name, `must hold at most ${MAX_IMAGES} images`);
  return images;
}

/** Reads `size`: `<width>x<height>`, or nothing where the model may choose. @throws GatewayError */
export function checkSize(fields: JsonObject): ImageSize | undefined {
  const text = checkText(fields, 'size');
  if (text === undefined || text === 'auto') return undefined;
  const [, width, height] = SIZE.exec(text) ?? refuseField('size', 'must be <width>x<height> or auto');
  return { width: Number(width), height: Number(height) };
}

/** Reads `n`: one unless told, ten at most. @throws GatewayError */
export function checkImageCount(fields: JsonObject): number {
  const count = checkCount(fields, 'n') ?? 1;
  return count >= 1 && count <= MAX_COUNT ? count : refuseField('n', `must be from 1 to ${MAX_COUNT}`);
}
