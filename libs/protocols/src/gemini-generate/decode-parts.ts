import { omitUndefined } from '@mg/contract';
import type { Block, MediaBlock, MediaSource, Signature, ToolResultBlock } from '../canonical/blocks.js';
import { unpackSignature } from '../canonical/carry-signature.js';
import { decodeText as decodeBase64, writeInput } from '../canonical/json-text.js';
import { readBytes, readTextBytes } from '../canonical/media-in-slices.js';
import { correctMediaType, guessMediaType, readMediaKind } from '../canonical/media-type.js';
import { readObject, readObjects, readText } from '../canonical/read-fields.js';
import { restoreToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { toStandardBase64 } from '../standard-base64.js';

/** Members of a part that say something about its content rather than being it. */
const MODIFIERS = new Set([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
]);

/** Reads media that stand in a part. */
type ReadInline = (mediaType: string, base64: string) => MediaSource;

const isText = (mediaType: string) => mediaType.startsWith('text/');

/** Of a file's base64 in an answer, up to which it is decoded, or brought into its standard form: that is done in one step. */
const MOST_CONVERTED = 256 * 1024;

/** Those of an answer. What is long goes on as it came: Google writes base64 in its standard form, and no such files of text. */
const readAtOnce: ReadInline = (mediaType, base64) => {
  if (base64.length > MOST_CONVERTED) return { type: 'bytes', mediaType, base64 };
  return isText(mediaType)
    ? { type: 'text', text: decodeBase64(base64) }
    : { type: 'bytes', mediaType, base64: toStandardBase64(base64) };
};

/** Those of a request: what is long is converted later, in steps. */
const readInSteps: ReadInline = (mediaType, base64) =>
  isText(mediaType) ? readTextBytes(mediaType, base64) : readBytes(mediaType, base64);

/** As {@link decodePart}, for a part of a request. */
export function decodeRequestPart(
  part: JsonObject,
  nextCallId: (name: string) => string,
): Block[] | undefined {
  return decodePart(part, nextCallId, readInSteps);
}

/**
 * Blocks of a part with camelCase keys; `undefined` when it holds nothing that can be read. A signature that stands on
 * text becomes a thought without text, so that other protocols' clients can carry it.
 *
 * @param nextCallId names a call that has no id of its own.
 */
export function decodePart(
  part: JsonObject,
  nextCallId: (name: string) => string,
  readInline = readAtOnce,
): Block[] | undefined {
  if (typeof part.text === 'string') return decodeText(part, part.text);
  if (isObject(part.functionCall)) return decodeCall(part, part.functionCall, nextCallId);
  if (isObject(part.inlineData)) return toBlocks(decodeInlineData(part, part.inlineData, readInline));
  if (isObject(part.fileData)) return toBlocks(decodeFileData(part, part.fileData));
  if (Object.keys(part).some((key) => !MODIFIERS.has(key) && isObject(part[key]))) {
    return [{ type: 'opaque', protocol: 'gemini-generate', raw: part }];
  }
  return typeof part.thoughtSignature === 'string' ? decodeText(part, '') : undefined;
}

function toBlocks(block: Block | undefined): Block[] | undefined {
  return block && [block];
}

function decodeText(part: JsonObject, text: string): Block[] {
  const value = readText(part.thoughtSignature);
  const carried = value === undefined ? undefined : unpackSignature(value);
  if (carried?.kind === 'redacted') return [{ type: 'reasoning', text, redacted: carried.signature }];
  const signature = carried?.signature ?? toSignature(value);
  if (part.thought === true) {
    return [signature ? { type: 'reasoning', text, signature } : { type: 'reasoning', text }];
  }
  const blocks: Block[] = text === '' ? [] : [{ type: 'text', text }];
  if (signature) blocks.push({ type: 'reasoning', text: '', signature });
  return blocks;
}

function toSignature(value: string | undefined): Signature | undefined {
  return value === undefined || value === '' ? undefined : { protocol: 'gemini-generate', value };
}

function decodeCall(
  part: JsonObject,
  call: JsonObject,
  nextCallId: (name: string) => string,
): Block[] | undefined {
  const name = readText(call.name);
  if (name === undefined || name === '') return undefined;
  const signature = toSignature(readText(part.thoughtSignature));
  return [
    omitUndefined({
      type: 'tool-call',
      id: readText(call.id) || nextCallId(name),
      name: restoreToolName(name),
      arguments: writeInput(call.args ?? {}),
      signature,
    }),
  ];
}

function decodeInlineData(
  part: JsonObject,
  data: JsonObject,
  readInline: ReadInline,
): MediaBlock | undefined {
  const named = readText(data.mimeType);
  const base64 = readText(data.data);
  if (named === undefined || base64 === undefined) return undefined;
  const mediaType = correctMediaType(named);
  return {
    type: 'media',
    kind: readMediaKind(mediaType),
    source: readInline(mediaType, base64),
    ...readMediaFacts(part, data),
  };
}

/** Google's own storage and its Files API mean nothing to other providers; any other https address does. */
const OWN_FILE = /^(?:gs:\/\/|https:\/\/generativelanguage\.googleapis\.com\/)/;
const WATCHED = /^https:\/\/(?:www\.)?(?:youtube\.com|youtu\.be)\//;

function decodeFileData(part: JsonObject, data: JsonObject): MediaBlock | undefined {
  const uri = readText(data.fileUri);
  if (uri === undefined || uri === '') return undefined;
  const guessed = WATCHED.test(uri) ? 'video/mp4' : guessMediaType(uri);
  const mediaType = readText(data.mimeType);
  const isOwn = OWN_FILE.test(uri) || !/^https?:\/\//.test(uri);
  return {
    type: 'media',
    kind: readMediaKind(mediaType ?? guessed ?? 'application/octet-stream'),
    source: isOwn
      ? { type: 'file', id: uri, protocol: 'gemini-generate' }
      : { type: 'url', url: uri, mediaType },
    ...readMediaFacts(part, data, isOwn ? mediaType : undefined),
  };
}

function readMediaFacts(
  part: JsonObject,
  data: JsonObject,
  mimeType?: string,
): Pick<MediaBlock, 'name' | 'detail' | 'ext'> {
  const name = readText(data.displayName);
  const level = readText(readObject(part.mediaResolution)?.level ?? part.mediaResolution);
  const detail = level?.endsWith('_LOW') ? 'low' : level?.endsWith('_HIGH') ? 'high' : undefined;
  const own = omitUndefined({ videoMetadata: part.videoMetadata, mimeType });
  return omitUndefined({
    name,
    detail,
    ext: Object.keys(own).length === 0 ? undefined : { 'gemini-generate': own },
  });
}

/** What stands for the text of a tool's result: a text, or a value to be written as JSON. */
export function readResult(response: JsonObject): { readonly value: unknown; readonly isError: boolean } {
  const result = readObject(response.response) ?? {};
  const [key, ...others] = Object.keys(result);
  const isSole = others.length === 0 && (key === 'output' || key === 'result' || key === 'error');
  const value = key === undefined ? '' : isSole ? (result[key] ?? null) : result;
  return { value, isError: Object.hasOwn(result, 'error') };
}

/** What a tool gave back: `output`, `result` or `error` alone, or any object as JSON text; media ride in `parts`. */
export function decodeResult(response: JsonObject, callId: string): ToolResultBlock {
  const { value, isError } = readResult(response);
  const text = typeof value === 'string' ? value : writeInput(value);
  const media = readObjects(response.parts).flatMap((part) => {
    const block = isObject(part.inlineData)
      ? decodeInlineData(part, part.inlineData, readInSteps)
      : isObject(part.fileData) && decodeFileData(part, part.fileData);
    return block ? [block] : [];
  });
  return {
    type: 'tool-result',
    callId,
    name: restoreToolName(readText(response.name) ?? ''),
    content: text === '' ? media : [{ type: 'text', text }, ...media],
    isError,
  };
}

/** Joins what a stream had cut and its client kept in pieces: parts of one text, parts of one thought. */
export function joinFragments(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: last.text + block.text };
    } else if (block.type === 'reasoning' && last?.type === 'reasoning' && isUnsigned(last)) {
      joined[joined.length - 1] = { ...block, text: last.text + block.text };
    } else joined.push(block);
  }
  return joined;
}

function isUnsigned(block: Block): boolean {
  return block.type === 'reasoning' && block.signature === undefined && block.redacted === undefined;
}
