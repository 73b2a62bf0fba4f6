import { omitUndefined } from '@mg/contract';
import type { z } from 'zod';
import { checkList, checkText } from '../canonical/check-fields.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { createExchange } from '../exchange/create-exchange.js';
import type { Exchange, FormPart, RemoteMedia } from '../exchange/exchange.js';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { checkImages, checkImageUrl, checkPng } from './check-image.js';
import { geminiImageChannel } from './gemini-images.js';
import { imagenChannel } from './imagen-images.js';
import { type ImageRequest, type ImageSource, isImage } from './image.js';
import { describeImageExchange } from './image-exchange.js';
import { USUAL_ANSWER_BYTES } from './image-usage.js';
import { openAiImageChannel, openAiImageClient } from './openai-images.js';
import {
  imageEditForm,
  imageEditRequest,
  imageRequest,
  imageVariationForm,
  MAX_PROMPT_CHARACTERS,
  readSize,
} from './request-schema.js';

/** Of an image's base64 in an answer; those that are asked for by address count as they come. */
const COPIES = { url: 0, b64_json: 1, both: 2 } as const;
/** Of all fields of a form that are no images, which are read in one step: twice the longest prompt. */
const MOST_FIELD_BYTES = 2 * MAX_PROMPT_CHARACTERS;
const NUMBERS: ReadonlySet<string> = new Set(['n', 'partial_images', 'output_compression']);

/** A call of `POST /v1/images/generations`. @throws GatewayError `invalid_request` naming the field. */
export function readImageGeneration(bytes: Buffer): Exchange {
  const parsed = parseRequestBody(bytes);
  return toExchange({
    ...toOrder(validate(imageRequest, parsed), parsed),
    task: 'generate',
    images: [],
    mask: undefined,
    body: { kind: 'json', bytes, parsed },
  });
}

/** A call of `POST /v1/images/edits` as JSON, its images by URL. @throws GatewayError `invalid_request` naming the field. */
export function readImageEdit(bytes: Buffer): Exchange {
  const parsed = parseRequestBody(bytes);
  const { images: _images, mask: _mask, ...fields } = parsed;
  const checked = validate(imageEditRequest, parsed);
  // Counted before they are looked at: tens of thousands take their time.
  const references = checkImages(checkList(parsed, 'images'), 'images');
  const { mask } = checked;
  return toExchange({
    ...toOrder(checked, fields),
    task: 'edit',
    images: references.map((item, index) => readReference(item, `images[${index}]`)),
    mask: mask ? readReference(mask, 'mask') : undefined,
    body: { kind: 'json', bytes, parsed },
  });
}

/** A call of `POST /v1/images/edits` as a form. @throws GatewayError `invalid_request` naming the field. */
export function readImageEditForm(parts: readonly FormPart[]): Exchange {
  const imageParts = parts.filter((part) => isImage(part) && part.name !== 'mask');
  const images = imageParts.map(({ bytes }, index) =>
    checkPng(bytes, imageParts.length === 1 ? 'image' : `image[${index}]`),
  );
  const mask = parts.find(({ name }) => name === 'mask');
  const fields = readFields(parts);
  return toExchange({
    ...toOrder(validate(imageEditForm, { ...fields, image: images[0], mask }), fields),
    task: 'edit',
    images: checkImages(images, 'image'),
    mask: mask && checkPng(mask.bytes, 'mask'),
    body: { kind: 'form', parts },
  });
}

/**
 * A call of `POST /v1/images/variations`, always a form. Its fields are known to the last: one that is not could change the
 * price.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readImageVariation(parts: readonly FormPart[]): Exchange {
  for (const { name } of parts) {
    if (!Object.hasOwn(imageVariationForm.shape, name)) refuseField(name, 'is not a field of this call');
  }
  const [image, ...others] = parts.filter(({ name }) => name === 'image');
  if (others.length > 0) refuseField('image', 'must be one image');
  const fields = readFields(parts);
  const checked = validate(imageVariationForm, { ...fields, image });
  return toExchange({
    ...toOrder({ ...checked, prompt: '' }, fields),
    task: 'vary',
    images: image ? [checkPng(image.bytes, 'image')] : refuseField('image', 'is needed'),
    mask: undefined,
    body: { kind: 'form', parts },
  });
}

/** Values of a form are texts: those that JSON writes as numbers and flags become such. */
function readFields(parts: readonly FormPart[]): JsonObject {
  const fields: JsonObject = {};
  let read = 0;
  for (const part of parts) {
    const { name, bytes } = part;
    if (isImage(part) || name === '__proto__') continue;
    if (!Buffer.isBuffer(bytes)) refuseField(name, 'must be a text');
    read += bytes.length;
    if (read > MOST_FIELD_BYTES) {
      refuseField(name, `makes the fields of the form hold more than ${MOST_FIELD_BYTES} bytes`);
    }
    const text = bytes.toString('utf8');
    if (text === '' && name !== 'prompt') continue;
    fields[name] = toValue(name, text);
  }
  return fields;
}

function toValue(name: string, text: string): unknown {
  if (NUMBERS.has(name)) return /^-?\d{1,6}$/.test(text) ? Number(text) : text;
  if (name !== 'stream') return text;
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
}

function readReference(item: unknown, name: string): ImageSource {
  if (!isObject(item)) return refuseField(name, 'must be an object');
  const url = checkText(item, 'image_url', name);
  if (url !== undefined) return checkImageUrl(url, `${name}.image_url`);
  const id = checkText(item, 'file_id', name);
  return id === undefined ? refuseField(name, 'must hold image_url or file_id') : { kind: 'file', id };
}

function toOrder(
  { model, prompt, n, size, quality, response_format: format, stream }: z.output<typeof imageRequest>,
  fields: JsonObject,
): Omit<ImageRequest, 'task' | 'images' | 'mask' | 'body'> {
  return {
    model,
    prompt,
    count: n ?? 1,
    size: readSize(size),
    quality: quality === 'auto' ? undefined : (quality ?? undefined),
    format: format ?? undefined,
    stream: stream ?? false,
    fields,
  };
}

function toExchange(request: ImageRequest): Exchange {
  return createExchange({
    ...describeImageExchange(request),
    answerBytes: request.count * USUAL_ANSWER_BYTES * COPIES[request.format ?? 'both'],
    ...omitUndefined({
      remote: request.images.some(({ kind }) => kind === 'url') ? nameRemote(request) : undefined,
    }),
    client: openAiImageClient,
    channels: {
      'openai-images': openAiImageChannel,
      'gemini-images': geminiImageChannel,
      'imagen-images': imagenChannel,
    },
  });
}

/** Gemini knows images by their bytes alone; all others fetch them. */
function nameRemote(request: ImageRequest): RemoteMedia {
  return {
    listUrls: (protocol) =>
      protocol === 'gemini-images'
        ? request.images.flatMap((image) => (image.kind === 'url' ? image.url : []))
        : [],
    withBytes: (loaded) => {
      const images = request.images.map((image, index) => {
        const bytes = image.kind === 'url' ? loaded.get(image.url) : undefined;
        return bytes ? checkPng(bytes, `images[${index}].image_url`) : image;
      });
      return toExchange({ ...request, images });
    },
  };
}
