import { checkModelName } from '../canonical/check-model.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import {
  checkCount,
  checkFlag,
  checkList,
  checkNumber,
  checkObject,
  checkText,
  needText,
  pickRest,
} from '../canonical/check-fields.js';
import { withoutUndefined } from '../canonical/read-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { refusePriceFields } from './price-fields.js';
import { readCallbackUrl } from './read-callback-url.js';
import type { VideoOrder } from './video-order.js';

/** A request of the generic video API, read and checked. */
export interface GenericVideoRequest {
  readonly model: string;
  readonly order: VideoOrder;
  /** Where the caller wants to be told of the task's end. */
  readonly callbackUrl: string | undefined;
}

const DEFAULT_SECONDS = 5;
const MAX_SECONDS = 120;
const MAX_FPS = 240;
const MAX_SIDE = 16_384;
const MAX_IMAGES = 16;

/** Members with a word of the generic API. What is not among them is the provider's own and goes along as it is. */
const KNOWN = listNames(
  'model prompt duration seconds callback_url metadata extra',
  'image images first_frame last_frame reference_images',
  'size width height ratio aspect_ratio resolution fps',
  'seed negative_prompt audio generate_audio n user response_format',
);

function listNames(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/**
 * Reads an order of the generic video API.
 *
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readGenericVideoRequest(body: Buffer): GenericVideoRequest {
  const parsed = parseRequestBody(body);
  const order: { readonly [Word in keyof VideoOrder]: VideoOrder[Word] | undefined } = {
    prompt: needFilled(parsed, 'prompt'),
    seconds: readSeconds(parsed),
    ...readImages(parsed),
    size: readSize(parsed),
    ratio: readRatio(parsed),
    resolution: readResolution(parsed),
    fps: readFps(parsed),
    seed: readSeed(parsed),
    negativePrompt: checkText(parsed, 'negative_prompt'),
    audio: readAudio(parsed),
    extra: readExtra(parsed),
  };
  refuseSeveral(parsed);
  return {
    model: checkModelName(needFilled(parsed, 'model')),
    order: withoutUndefined(order) as unknown as VideoOrder,
    callbackUrl: readCallbackUrl(parsed),
  };
}

function needFilled(parsed: JsonObject, field: string): string {
  const text = needText(parsed, field);
  return text.trim() === '' ? refuseField(field, 'must not be empty') : text;
}

/** `seconds` is what OpenAI's SDK sends, as a text. */
function readSeconds(parsed: JsonObject): number {
  const duration = checkSeconds('duration', parsed.duration);
  const { seconds: given } = parsed;
  const seconds = checkSeconds('seconds', typeof given === 'string' && /^\d+$/.test(given) ? +given : given);
  if (duration !== undefined && seconds !== undefined && duration !== seconds) {
    refuseField('seconds', 'must not differ from duration');
  }
  return duration ?? seconds ?? DEFAULT_SECONDS;
}

function checkSeconds(field: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SECONDS)
    return value;
  return refuseField(field, `must be an integer of seconds from 1 to ${MAX_SECONDS}`);
}

/** One image is the first frame wherever it stands; several are subjects to be kept. */
function readImages(parsed: JsonObject): Pick<VideoOrder, 'image' | 'lastImage' | 'referenceImages'> {
  const images = [...readImageList(parsed, 'images'), ...readImageList(parsed, 'reference_images')];
  const named = readImage(parsed, 'image') ?? readImage(parsed, 'first_frame');
  const onlyOne = named === undefined && parsed.reference_images === undefined && images.length === 1;
  const image = onlyOne ? images[0] : named;
  const lastImage = readImage(parsed, 'last_frame');
  return {
    ...(image === undefined ? {} : { image }),
    ...(lastImage === undefined ? {} : { lastImage }),
    ...(onlyOne || images.length === 0 ? {} : { referenceImages: images }),
  };
}

function readImageList(parsed: JsonObject, field: string): string[] {
  const list = checkList(parsed, field);
  if (list.length > MAX_IMAGES) refuseField(field, `must hold at most ${MAX_IMAGES} images`);
  return list.map((value, index) => checkImage(value, `${field}[${index}]`));
}

function readImage(parsed: JsonObject, field: string): string | undefined {
  const value = parsed[field];
  return value === undefined || value === null ? undefined : checkImage(value, field);
}

function checkImage(value: unknown, name: string): string {
  if (typeof value !== 'string') return refuseField(name, 'must be a string: an https or data URL');
  const isImage = /^data:image\/[\w.+-]+;base64,/i.test(value);
  if (isImage || (/^https?:\/\//i.test(value) && URL.canParse(value))) return value;
  return refuseField(name, 'must be an https URL or a data URL of an image');
}

function readSize(parsed: JsonObject): VideoOrder['size'] {
  const text = checkText(parsed, 'size');
  const width = checkSide(parsed, 'width');
  const height = checkSide(parsed, 'height');
  if ((width === undefined) !== (height === undefined)) {
    refuseField(width === undefined ? 'width' : 'height', 'is needed beside its other side');
  }
  if (text === undefined) return width === undefined || height === undefined ? undefined : { width, height };
  const match = /^([1-9]\d{0,4})[x*]([1-9]\d{0,4})$/.exec(text);
  if (!match) return refuseField('size', 'must be <width>x<height>, such as 1280x720');
  const size = { width: Number(match[1]), height: Number(match[2]) };
  const differs = width !== undefined && (width !== size.width || height !== size.height);
  return differs ? refuseField('size', 'must not differ from width and height') : size;
}

function checkSide(parsed: JsonObject, field: string): number | undefined {
  const side = checkCount(parsed, field);
  if (side === undefined || (side >= 1 && side <= MAX_SIDE)) return side;
  return refuseField(field, `must be an integer of pixels from 1 to ${MAX_SIDE}`);
}

function readRatio(parsed: JsonObject): string | undefined {
  const [ratio, aspectRatio] = ['ratio', 'aspect_ratio'].map((field) => checkRatio(parsed, field));
  if (ratio !== undefined && aspectRatio !== undefined && ratio !== aspectRatio) {
    refuseField('aspect_ratio', 'must not differ from ratio');
  }
  return ratio ?? aspectRatio;
}

function checkRatio(parsed: JsonObject, field: string): string | undefined {
  const ratio = checkText(parsed, field);
  return ratio === undefined || isRatio(ratio) ? ratio : refuseField(field, 'must be <w>:<h>, such as 16:9');
}

function readAudio(parsed: JsonObject): boolean | undefined {
  const audio = checkFlag(parsed, 'audio');
  const generated = checkFlag(parsed, 'generate_audio');
  if (audio !== undefined && generated !== undefined && audio !== generated) {
    refuseField('generate_audio', 'must not differ from audio');
  }
  return audio ?? generated;
}

/** Whether a text is a ratio of two numbers above zero, as `16:9`. */
export function isRatio(text: string): boolean {
  return /^[1-9]\d{0,4}:[1-9]\d{0,4}$/.test(text);
}

function readResolution(parsed: JsonObject): string | undefined {
  const resolution = checkText(parsed, 'resolution');
  if (resolution === undefined || /^\w{1,16}$/.test(resolution)) return resolution;
  return refuseField('resolution', 'must be a label such as 720p');
}

function readFps(parsed: JsonObject): number | undefined {
  const fps = checkCount(parsed, 'fps');
  if (fps === undefined || (fps >= 1 && fps <= MAX_FPS)) return fps;
  return refuseField('fps', `must be an integer from 1 to ${MAX_FPS}`);
}

function readSeed(parsed: JsonObject): number | undefined {
  const seed = checkNumber(parsed, 'seed');
  return seed === undefined || Number.isSafeInteger(seed) ? seed : refuseField('seed', 'must be an integer');
}

function refuseSeveral(parsed: JsonObject): void {
  const count = checkCount(parsed, 'n');
  if (count !== undefined && count !== 1) refuseField('n', 'must be 1: a task makes one video');
  const format = checkText(parsed, 'response_format');
  if (format !== undefined && format !== 'url') refuseField('response_format', 'must be url');
}

function readExtra(parsed: JsonObject): JsonObject | undefined {
  for (const field of ['metadata', 'extra']) {
    refusePriceFields(
      checkObject(parsed, field) ?? {},
      field,
      `is not taken from ${field}: say it at the top level`,
    );
  }
  const rest = pickRest(parsed, KNOWN);
  refusePriceFields(rest ?? {}, '', 'is not a field of this API');
  const extra = { ...rest, ...checkObject(parsed, 'metadata'), ...checkObject(parsed, 'extra') };
  return Object.keys(extra).length === 0 ? undefined : extra;
}
