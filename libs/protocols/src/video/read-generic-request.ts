import { omitUndefined } from '@mg/contract';
import type { z } from 'zod';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { checkList, pickRest } from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { limitOrder } from './limit-order.js';
import { refusePriceFields } from './price-fields.js';
import { readCallbackUrl } from './read-callback-url.js';
import { imageUrl, MAX_IMAGES, readVideoSize, videoRequest } from './request-schema.js';
import type { VideoOrder } from './video-order.js';

/** A request of the generic video API, read and checked. */
export interface GenericVideoRequest {
  readonly model: string;
  readonly order: VideoOrder;
  /** Where the caller wants to be called at the task's end. */
  readonly callbackUrl: string | undefined;
}

type Fields = z.output<typeof videoRequest>;

const DEFAULT_SECONDS = 5;

/** Members of the generic API. What is not among them is the provider's own and goes along as it is. */
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
export function readGenericVideoRequest(body: Buffer | JsonObject): GenericVideoRequest {
  const parsed = Buffer.isBuffer(body) ? parseRequestBody(body) : body;
  limitOrder(parsed);
  const fields = validate(videoRequest, parsed);
  const order: { readonly [Word in keyof VideoOrder]: VideoOrder[Word] | undefined } = {
    prompt: fields.prompt,
    seconds: readSeconds(fields),
    ...readImages(fields),
    size: readSize(fields),
    ratio: agree('ratio', fields.ratio, 'aspect_ratio', fields.aspect_ratio),
    resolution: fields.resolution ?? undefined,
    fps: fields.fps ?? undefined,
    seed: fields.seed ?? undefined,
    negativePrompt: fields.negative_prompt ?? undefined,
    audio: agree('audio', fields.audio, 'generate_audio', fields.generate_audio),
    extra: readExtra(parsed, fields),
  };
  return {
    model: fields.model,
    order: omitUndefined(order) as unknown as VideoOrder,
    callbackUrl: readCallbackUrl(parsed),
  };
}

/** `seconds` is what OpenAI's SDK sends, as a text. */
function readSeconds({ duration, seconds }: Fields): number {
  const given = seconds === undefined || seconds === null ? undefined : Number(seconds);
  return agree('duration', duration, 'seconds', given) ?? DEFAULT_SECONDS;
}

/** The value of a field that has two names. @throws GatewayError when they say different things. */
function agree<Value>(
  name: string,
  value: Value | null | undefined,
  otherName: string,
  other: Value | null | undefined,
): Value | undefined {
  const one = value ?? undefined;
  const two = other ?? undefined;
  if (one !== undefined && two !== undefined && one !== two) {
    refuseField(otherName, `must not differ from ${name}`);
  }
  return one ?? two;
}

/** One image is the first frame wherever it stands; several are subjects to be kept. */
function readImages(fields: Fields): Pick<VideoOrder, 'image' | 'lastImage' | 'referenceImages'> {
  const images = [...readImageList(fields, 'images'), ...readImageList(fields, 'reference_images')];
  const named = fields.image ?? fields.first_frame ?? undefined;
  const isReference = fields.reference_images !== undefined && fields.reference_images !== null;
  const onlyOne = named === undefined && !isReference && images.length === 1;
  const image = onlyOne ? images[0] : named;
  const lastImage = fields.last_frame ?? undefined;
  return omitUndefined({
    image,
    lastImage,
    referenceImages: onlyOne || images.length === 0 ? undefined : images,
  });
}

function readImageList(fields: Fields, field: 'images' | 'reference_images'): string[] {
  const list = checkList(fields, field);
  if (list.length > MAX_IMAGES) refuseField(field, `must hold at most ${MAX_IMAGES} images`);
  return list.map((value, index) => validate(imageUrl, value, `${field}[${index}]`));
}

function readSize({ size: text, width, height }: Fields): VideoOrder['size'] {
  const hasWidth = width !== undefined && width !== null;
  const hasHeight = height !== undefined && height !== null;
  if (hasWidth !== hasHeight) refuseField(hasWidth ? 'height' : 'width', 'is needed beside its other side');
  const size = readVideoSize(text);
  if (!hasWidth || !hasHeight) return size;
  if (size && (size.width !== width || size.height !== height)) {
    refuseField('size', 'must not differ from width and height');
  }
  return { width, height };
}

function readExtra(parsed: JsonObject, { metadata, extra }: Fields): JsonObject | undefined {
  for (const [field, members] of Object.entries({ metadata, extra })) {
    refusePriceFields(members ?? {}, field, `is not taken from ${field}: say it at the top level`);
  }
  const rest = pickRest(parsed, KNOWN);
  refusePriceFields(rest ?? {}, '', 'is not a field of this API');
  const all = { ...rest, ...metadata, ...extra };
  return Object.keys(all).length === 0 ? undefined : all;
}
