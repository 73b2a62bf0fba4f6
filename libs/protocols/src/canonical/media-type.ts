import type { MediaKind } from './blocks.js';
import { refuseField } from './refuse.js';

const BY_EXTENSION: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
};

/** Nothing further on is looked at for what an address leads to; in characters. */
const LONGEST_ADDRESS = 16 * 1024;
/** What stands before the data of a `data:` URL has fewer characters. */
const LONGEST_HEAD = 1024;

/** In characters; a longer one is none (https://www.rfc-editor.org/rfc/rfc6838#section-4.2), and stays as it is. */
const LONGEST_TYPE = 256;

/** A media type in small letters, and with the name it has where clients use another. */
export function correctMediaType(mediaType: string): string {
  if (mediaType.length > LONGEST_TYPE) return mediaType;
  const known = mediaType.trim().toLowerCase();
  return known === 'image/jpg' ? 'image/jpeg' : known;
}

/** Whether media of a type are texts, which providers take as such. */
export function isTextType(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

/** A document unless it is an image, audio or video. */
export function readMediaKind(mediaType: string): MediaKind {
  const [top] = mediaType.split('/', 1);
  return top === 'image' || top === 'audio' || top === 'video' ? top : 'document';
}

/** Media type by the extension of a URL's path; `undefined` when that says nothing. */
export function guessMediaType(url: string): string | undefined {
  const path = url.slice(0, LONGEST_ADDRESS).split(/[?#]/, 1)[0] ?? '';
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}

/** Whether media in the place of an image are one, as far as their URL says: some providers take others there too. */
export function mayBeImage(url: string): boolean {
  const head = url.slice(0, LONGEST_HEAD);
  const type = url.startsWith('data:')
    ? head
        .slice('data:'.length, head.search(/[;,]|$/))
        .trim()
        .toLowerCase()
    : (guessMediaType(url) ?? 'image/');
  return type.startsWith('image/');
}

export interface InlineBytes {
  readonly mediaType: string;
  readonly base64: string;
}

/** Megabytes come as base64: more than this, in characters, is decoded from nothing else. */
const LONGEST_PERCENT_ENCODED = 64 * 1024;
/** Nor is more than this in one turn: decoding it takes some milliseconds. */
const MOST_PERCENT_ENCODED = 1024 * 1024;

/** @throws GatewayError `invalid_request` where the addresses of one turn hold more percent-encoded data than is decoded. */
export function limitDataUrls(urls: readonly unknown[], name: string): void {
  let characters = 0;
  for (const url of urls) if (typeof url === 'string' && isPercentEncoded(url)) characters += url.length;
  if (characters > MOST_PERCENT_ENCODED) {
    refuseField(name, `must hold at most ${MOST_PERCENT_ENCODED} characters of data that is not base64`);
  }
}

function isPercentEncoded(url: string): boolean {
  const head = readDataHead(url);
  return head !== undefined && !head.isBase64;
}

interface DataHead {
  readonly type: string;
  readonly isBase64: boolean;
  /** Where the data begins. */
  readonly dataFrom: number;
}

/** A parameter among those of a head. There may be thousands of heads, so that none is cut into its parameters. */
const IS_BASE64 = /;\s*base64\s*(?:;|$)/i;

/** What stands before the first comma of a `data:` URL; `undefined` where there is none, and for other URLs. */
function readDataHead(url: string): DataHead | undefined {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.slice(0, LONGEST_HEAD).indexOf(',');
  if (comma < 0) return undefined;
  const head = url.slice('data:'.length, comma);
  const end = head.indexOf(';');
  return { type: end < 0 ? head : head.slice(0, end), isBase64: IS_BASE64.test(head), dataFrom: comma + 1 };
}

/**
 * Reads a `data:` URL, base64 or percent-encoded, whatever parameters it has; `undefined` for other URLs, and for those whose
 * parameters, or percent-encoded data, are longer than any honest one's.
 */
export function parseDataUrl(url: string): InlineBytes | undefined {
  const head = readDataHead(url);
  if (!head) return undefined;
  const mediaType = correctMediaType(head.type) || 'text/plain';
  const body = url.slice(head.dataFrom);
  if (head.isBase64) return { mediaType, base64: body };
  if (body.length > LONGEST_PERCENT_ENCODED) return undefined;
  try {
    return { mediaType, base64: Buffer.from(decodeURIComponent(body)).toString('base64') };
  } catch {
    return undefined;
  }
}

const DATA_URL = /^\s*data:/i;

/** Whether a text means to be a `data:` URL, well-formed or not. Blank space before it is looked through within bounds. */
export function looksLikeDataUrl(text: string): boolean {
  return DATA_URL.test(text.slice(0, LONGEST_HEAD));
}

/** The two pieces of a `data:` URL. */
export function cutDataUrl({ mediaType, base64 }: InlineBytes): readonly [string, string] {
  return [`data:${mediaType};base64,`, base64];
}

export function writeDataUrl(bytes: InlineBytes): string {
  const [head, base64] = cutDataUrl(bytes);
  return head + base64;
}

/** Whether media are named by an address of the web instead of brought along. */
export function isWebUrl(url: unknown): boolean {
  return typeof url === 'string' && /^https?:/i.test(url);
}
