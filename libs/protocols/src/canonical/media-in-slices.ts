import {
  cutText,
  decodeSlices,
  decodeTextSlices,
  encodePieces,
  isStandardBase64,
  toStandardBase64,
} from '../standard-base64.js';
import type { Block, MediaBlock, MediaSource } from './blocks.js';
import type { FileMarks } from './file-marks.js';
import { decodeText } from './json-text.js';
import { isTextType } from './media-type.js';
import type { CanonicalRequest } from './request.js';

/** Shorter texts are converted where they are needed. */
const LONG_CHARACTERS = 256 * 1024;

/** Base64 of texts, and texts of base64, that were made in steps before they are asked for: marks for them. */
const CONVERTED = new WeakMap<MediaSource, string>();

type BytesSource = Extract<MediaSource, { type: 'bytes' }>;
type TextSource = Extract<MediaSource, { type: 'text' }>;

/** What an upstream takes documents of text as. */
export type TextForm = 'text' | 'base64';

/** Bytes as a client wrote them: their base64 may be long, and is then brought into its standard form in steps. */
export function readBytes(mediaType: string, base64: string): BytesSource {
  return base64.length < LONG_CHARACTERS
    ? { type: 'bytes', mediaType, base64: toStandardBase64(base64) }
    : { type: 'bytes', mediaType, base64, becomes: 'standard' };
}

/** A text that a client wrote as base64. A long one is decoded in steps. */
export function readTextBytes(mediaType: string, base64: string): TextSource | BytesSource {
  return base64.length < LONG_CHARACTERS
    ? { type: 'text', text: decodeText(base64) }
    : { type: 'bytes', mediaType, base64, becomes: 'text' };
}

/** The text of a document that came as base64. */
export function textOfSource(source: BytesSource): string {
  return CONVERTED.get(source) ?? decodeText(source.base64);
}

/** The base64 of a document that came as text. */
export function base64OfSource(source: TextSource): string {
  return CONVERTED.get(source) ?? Buffer.from(source.text).toString('base64');
}

/** Whether a request has media that `readBytes` and `readTextBytes` left to be converted: it is written in steps. */
export function hasMediaToConvert(request: CanonicalRequest): boolean {
  return listSources(request).some((source) => source.type === 'bytes' && source.becomes !== undefined);
}

/** How a request is written. */
export interface MediaWriting {
  /** What the upstream takes documents of text as. */
  readonly textForm: TextForm | undefined;
  /** Get what is converted. */
  readonly marks: FileMarks;
  /** Waited for between two steps. */
  readonly pause: () => Promise<void>;
}

/**
 * The request with what `readBytes` and `readTextBytes` left to be done, in steps, none of which takes long; the very same where
 * that is nothing. Documents that the upstream takes in another form are converted, too. Marks stand for all that is converted.
 */
export async function convertMediaInSlices(
  request: CanonicalRequest,
  writing: MediaWriting,
): Promise<CanonicalRequest> {
  const settled = new Map<MediaSource, MediaSource>();
  for (const source of listSources(request)) {
    const isToSettle = source.type === 'bytes' && source.becomes !== undefined;
    const converted = await (isToSettle ? settle(source, writing) : convert(source, writing));
    if (converted) settled.set(source, converted);
  }
  return settled.size === 0 ? request : replaceSources(request, settled);
}

/**
 * A long document with its form that the upstream takes; `undefined` for any other. It is a copy: a mark means something in the
 * request of one attempt, and all attempts of a call share what was decoded.
 */
async function convert(
  source: MediaSource,
  { textForm, marks, pause }: MediaWriting,
): Promise<MediaSource | undefined> {
  if (textForm === 'base64' && source.type === 'text' && isLong(source.text)) {
    return copyAs(source, marks.add(await encodePieces(cutText(source.text, pause))));
  }
  const isText = source.type === 'bytes' && isTextType(source.mediaType) && isLong(source.base64);
  if (textForm === 'text' && isText) {
    return copyAs(source, marks.add(await escapePieces(decodeTextSlices(source.base64, pause))));
  }
  return undefined;
}

function copyAs(source: MediaSource, mark: string): MediaSource {
  const copy = { ...source };
  CONVERTED.set(copy, mark);
  return copy;
}

async function settle(
  { mediaType, base64, becomes, ...rest }: BytesSource,
  { textForm, marks, pause }: MediaWriting,
): Promise<MediaSource> {
  if (becomes !== 'text') {
    if (isStandardBase64(base64)) return { ...rest, mediaType, base64 };
    return { ...rest, mediaType, base64: marks.add(await encodePieces(decodeSlices(base64, pause))) };
  }
  const texts = decodeTextSlices(base64, pause);
  if (textForm !== 'base64') return { ...rest, type: 'text', text: marks.add(await escapePieces(texts)) };
  const source: MediaSource = { ...rest, type: 'text', text: '' };
  CONVERTED.set(source, marks.add(await encodePieces(texts)));
  return source;
}

/** Pieces of a text as they stand within a string of JSON. */
async function escapePieces(texts: AsyncIterable<string>): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const text of texts) pieces.push(Buffer.from(JSON.stringify(text).slice(1, -1)));
  return pieces;
}

function isLong(text: string): boolean {
  return text.length >= LONG_CHARACTERS;
}

function listSources(request: CanonicalRequest): readonly MediaSource[] {
  const blocks = request.turns.flatMap((turn) => turn.blocks);
  return blocks
    .flatMap((block): readonly Block[] => (block.type === 'tool-result' ? block.content : [block]))
    .flatMap((block) => (block.type === 'media' ? [block.source] : []));
}

function replaceSources(
  request: CanonicalRequest,
  settled: ReadonlyMap<MediaSource, MediaSource>,
): CanonicalRequest {
  const replace = <T extends Block>(block: T): T | MediaBlock => {
    const source = block.type === 'media' ? settled.get(block.source) : undefined;
    return source && block.type === 'media' ? { ...block, source } : block;
  };
  const turns = request.turns.map((turn) => ({
    ...turn,
    blocks: turn.blocks.map((block) =>
      block.type === 'tool-result' ? { ...block, content: block.content.map(replace) } : replace(block),
    ),
  }));
  return { ...request, turns };
}
