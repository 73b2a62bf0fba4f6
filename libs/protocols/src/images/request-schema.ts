import { z } from 'zod';
import {
  checkedApart,
  file,
  flag,
  integerFrom,
  modelName,
  object,
  oneOf,
  text,
  textUpTo,
} from '../schema/fields.js';

const MAX_COUNT = 10;
const MAX_PARTIAL_IMAGES = 3;
/** Eight times what any model takes. */
export const MAX_PROMPT_CHARACTERS = 256 * 1024;
export const MAX_IMAGES = 16;
const SIZE = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/;

const reference = z.looseObject({ image_url: z.string().nullish(), file_id: z.string().nullish() });

/** What is said of images, whether they are made of a prompt or of other images, as JSON or as a form. */
const fields = {
  model: modelName,
  prompt: textUpTo(MAX_PROMPT_CHARACTERS, `must hold at most ${MAX_PROMPT_CHARACTERS} characters`).regex(
    /\S/,
    'must not be empty',
  ),
  n: integerFrom(1, MAX_COUNT, `must be from 1 to ${MAX_COUNT}`).nullish().meta({ default: 1 }),
  size: text
    .regex(new RegExp(`${SIZE.source}|^auto$`), 'must be <width>x<height> or auto')
    .nullish()
    .meta({ description: '<width>x<height>, or auto.' }),
  quality: text.nullish(),
  response_format: oneOf(['url', 'b64_json'], 'must be url or b64_json').nullish(),
  stream: flag.nullish(),
  partial_images: integerFrom(0, MAX_PARTIAL_IMAGES, `must be from 0 to ${MAX_PARTIAL_IMAGES}`).nullish(),
};

/** @see https://platform.openai.com/docs/api-reference/images/create */
export const imageRequest = z.looseObject(fields);

/** An edit with images by URL or by the id of a file. @see https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEditRequest = imageRequest.extend({
  images: checkedApart(z.array(reference).min(1).max(MAX_IMAGES), 'is needed'),
  mask: object.nullish().meta({ properties: { image_url: { type: 'string' }, file_id: { type: 'string' } } }),
});

/** An edit as a form, once its fields that are numbers and flags have become such. Its files are checked as they come. */
export const imageEditForm = imageRequest.extend({
  image: file('PNG smaller than 4 MB; several as image[].'),
  mask: file('PNG; what is transparent may change.').optional(),
});

/** Variations of an image, of which nothing else is said. @see https://platform.openai.com/docs/api-reference/images/createVariation */
export const imageVariationForm = z.strictObject({
  image: file('PNG smaller than 4 MB.'),
  model: fields.model,
  n: fields.n,
  size: fields.size,
  response_format: fields.response_format,
  user: text.nullish(),
});

/** Width and height in pixels; `undefined` where the model may choose. */
export function readSize(size: string | null | undefined): { width: number; height: number } | undefined {
  const [, width, height] = SIZE.exec(size ?? '') ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
}
