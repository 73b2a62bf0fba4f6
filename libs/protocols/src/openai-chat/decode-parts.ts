import { omitUndefined } from '@mg/contract';
import type { Block, MediaBlock, TextBlock } from '../canonical/blocks.js';
import { checkObject, checkText, extend, needText, pickRest } from '../canonical/check-fields.js';
import {
  correctMediaType,
  guessMediaType,
  limitDataUrls,
  parseDataUrl,
  readMediaKind,
} from '../canonical/media-type.js';
import { placeAt } from '../canonical/places.js';
import { limitTurn } from '../canonical/limit-items.js';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';

const HOME = 'openai-chat';
/** Base64 of `%PDF`, with which every PDF begins. */
const PDF_START = 'JVBERi';

type Decode = (part: JsonObject, path: string) => Block;

const DECODERS: ReadonlyMap<unknown, Decode> = new Map<unknown, Decode>([
  ['text', decodeText],
  ['input_text', decodeText],
  ['output_text', decodeText],
  ['refusal', (part, path) => ({ type: 'text', text: needText(part, 'refusal', path) })],
  ['image_url', decodeImage],
  ['video_url', (part, path) => decodeUrl(part.video_url, `${path}.video_url`, 'video')],
  ['input_audio', decodeAudio],
  ['file', decodeFile],
]);

/** Reads the content of a message: a string, `null` or parts. @throws GatewayError naming the field that is wrong. */
export function decodeParts(content: unknown, path: string): readonly Block[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return refuseField(path, 'must be a string or an array of parts');
  limitTurn(content.length, path);
  limitDataUrls((content as unknown[]).flatMap(listUrls), path);
  return content.map((part: unknown, index) => {
    const name = `${path}[${index}]`;
    if (typeof part === 'string') return { type: 'text', text: part };
    if (!isObject(part)) return refuseField(name, 'must be an object');
    if (typeof part.type !== 'string') return refuseField(`${name}.type`, 'must be a string');
    return placeAt(
      name,
      DECODERS.get(part.type)?.(part, name) ?? { type: 'opaque', protocol: HOME, raw: part },
    );
  });
}

/** What stands in the places of addresses, whichever of them the type of the part says is read. */
function listUrls(part: unknown): unknown[] {
  if (!isObject(part)) return [];
  return [part.image_url, part.video_url, part.file].flatMap((holder) =>
    isObject(holder) ? [holder.url, holder.file_data] : [holder],
  );
}

const TEXT_FIELDS = new Set(['type', 'text']);

function decodeText(part: JsonObject, path: string): TextBlock {
  return { type: 'text', text: needText(part, 'text', path), ...extend(HOME, pickRest(part, TEXT_FIELDS)) };
}

const IMAGE_FIELDS = new Set(['type', 'image_url']);

function decodeImage(part: JsonObject, path: string): MediaBlock {
  const name = `${path}.image_url`;
  const image = isObject(part.image_url) ? part.image_url : {};
  const detail = checkText(image, 'detail', name);
  return {
    ...decodeUrl(part.image_url, name, 'image'),
    ...omitUndefined({
      detail: detail === 'low' || detail === 'high' || detail === 'auto' ? detail : undefined,
    }),
    ...extend(HOME, pickRest(part, IMAGE_FIELDS)),
  };
}

/** Media by URL; its kind follows from its type rather than from where it stands. */
function decodeUrl(value: unknown, path: string, kind: 'image' | 'video'): MediaBlock {
  const url = typeof value === 'string' ? value : isObject(value) ? needText(value, 'url', path) : undefined;
  if (url === undefined) return refuseField(path, 'must be an object');
  const place = typeof value === 'string' ? path : `${path}.url`;
  if (!url.startsWith('data:')) {
    const source = placeAt(place, { type: 'url' as const, url, mediaType: guessMediaType(url) });
    return { type: 'media', kind, source };
  }
  const bytes = parseDataUrl(url);
  if (!bytes) return refuseField(place, 'must be a valid data URL');
  const source = placeAt(place, { type: 'bytes' as const, ...bytes });
  return { type: 'media', kind: readMediaKind(bytes.mediaType), source };
}

function decodeAudio(part: JsonObject, path: string): MediaBlock {
  const name = `${path}.input_audio`;
  const audio = checkObject(part, 'input_audio', path) ?? refuseField(name, 'must be an object');
  const mediaType = correctMediaType(`audio/${needText(audio, 'format', name)}`);
  return {
    type: 'media',
    kind: 'audio',
    source: placeAt(name, { type: 'bytes', mediaType, base64: needText(audio, 'data', name) }),
    ...extend(HOME, pickRest(part, new Set(['type', 'input_audio']))),
  };
}

function decodeFile(part: JsonObject, path: string): MediaBlock {
  const name = `${path}.file`;
  const file = checkObject(part, 'file', path) ?? refuseField(name, 'must be an object');
  const filename = checkText(file, 'filename', name);
  const named = filename === undefined ? {} : { name: filename };
  const rest = extend(HOME, pickRest(part, new Set(['type', 'file'])));
  const id = checkText(file, 'file_id', name);
  if (id !== undefined) {
    return {
      type: 'media',
      kind: 'document',
      source: placeAt(`${name}.file_id`, { type: 'file', id, protocol: HOME }),
      ...named,
      ...rest,
    };
  }
  const bytes = readFileData(needText(file, 'file_data', name), filename);
  if (!bytes) return refuseField(`${name}.file_data`, 'must be a data URL that names its media type');
  const kind = readMediaKind(bytes.mediaType);
  const source = placeAt(`${name}.file_data`, { type: 'bytes' as const, ...bytes });
  return { type: 'media', kind, source, ...named, ...rest };
}

/** A data URL, or bare base64 whose type shows in its first bytes or in the name of the file. */
function readFileData(data: string, filename: string | undefined) {
  if (data.startsWith('data:')) return parseDataUrl(data);
  const mediaType = data.startsWith(PDF_START) ? 'application/pdf' : guessMediaType(filename ?? '');
  return mediaType === undefined ? undefined : { mediaType, base64: data };
}
