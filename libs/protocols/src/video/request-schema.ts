import { z } from 'zod';
import { LONGEST_ADDRESS } from '../canonical/limit-answer.js';
import {
  anyInteger,
  checkedApart,
  checkedApartIfGiven,
  file,
  flag,
  integerFrom,
  modelName,
  object,
  oneOf,
  text,
  textUpTo,
} from '../schema/fields.js';
import { LONGEST_TEXT } from './text-options.js';

const DEFAULT_SECONDS = 5;
const MAX_SECONDS = 120;
const MAX_FPS = 240;
const MAX_SIDE = 16_384;
export const MAX_IMAGES = 16;

const SECONDS_RULE = `must be an integer of seconds from 1 to ${MAX_SECONDS}`;
const RATIO = /^[1-9]\d{0,4}:[1-9]\d{0,4}$/;
const SIZE = /^([1-9]\d{0,4})[x*]([1-9]\d{0,4})$/;
/** What {@link MAX_SECONDS} allows, with zeros before it. */
const SECONDS_TEXT = /^0{0,6}(?:[1-9]|[1-9][0-9]|1[01][0-9]|120)$/;

const seconds = integerFrom(1, MAX_SECONDS, SECONDS_RULE);
const secondsAsText = z.string(SECONDS_RULE).regex(SECONDS_TEXT, SECONDS_RULE);
const side = integerFrom(1, MAX_SIDE, `must be an integer of pixels from 1 to ${MAX_SIDE}`).nullish();
const ratio = text.regex(RATIO, 'must be <w>:<h>, such as 16:9').nullish();
export const imageUrl = z
  .string('must be a string: an https or data URL')
  .refine(isImageUrl, 'must be an https URL or a data URL of an image')
  .meta({ description: 'An https or data URL.' });
const promptText = textUpTo(LONGEST_TEXT, `must hold at most ${LONGEST_TEXT} characters`);
const image = imageUrl.nullish();
const images = checkedApartIfGiven(z.array(imageUrl).max(MAX_IMAGES));

/** A video by the generic API. Fields of one provider alone go to it as they are. */
export const videoRequest = z.looseObject({
  model: modelName.regex(/\S/, 'must not be empty'),
  prompt: promptText.regex(/\S/, 'must not be empty'),
  duration: seconds
    .nullish()
    .meta({ default: DEFAULT_SECONDS, description: 'Seconds; `seconds` is the same.' }),
  seconds: z.union([seconds, secondsAsText], SECONDS_RULE).nullish(),
  image,
  first_frame: image,
  last_frame: image,
  images: images.meta({ description: 'One is the first frame, several are subjects to be kept.' }),
  reference_images: images.meta({ description: 'Subjects to be kept.' }),
  size: text
    .regex(SIZE, 'must be <width>x<height>, such as 1280x720')
    .nullish()
    .meta({ description: '<width>x<height>; or `width` and `height`.' }),
  width: side,
  height: side,
  ratio: ratio.meta({ description: '<w>:<h>; `aspect_ratio` is the same.' }),
  aspect_ratio: ratio,
  resolution: text
    .regex(/^\w{1,16}$/, 'must be a label such as 720p')
    .nullish()
    .meta({ description: 'A label such as 720p.' }),
  fps: integerFrom(1, MAX_FPS).nullish(),
  seed: anyInteger.refine(Number.isSafeInteger, 'must be an integer').nullish(),
  negative_prompt: promptText.nullish(),
  audio: flag.nullish(),
  generate_audio: flag.nullish().meta({ description: 'Another name of `audio`.' }),
  n: z.literal(1, 'must be 1: a task makes one video').nullish(),
  response_format: z.literal('url', 'must be url').nullish(),
  callback_url: text.nullish().meta({ description: 'Called at the end of the task, signed.' }),
  metadata: object.nullish().meta({ description: "The provider's own fields, passed on as they are." }),
  extra: object.nullish().meta({ description: 'The same as `metadata`.' }),
});

export const inputReference = z.union(
  [z.string(), z.looseObject({ image_url: z.string() })],
  'must be an image or its URL',
);

/** OpenAI's own video request: the generic one, with an image as a file, a URL or an object that holds the URL. */
export const openAiVideoRequest = videoRequest.extend({ input_reference: inputReference.nullish() });

/** A remix of a video that is done. */
export const videoRemixRequest = z.looseObject({ prompt: videoRequest.shape.prompt });

/** Fields and files that a form of it may have. */
export const MAX_VIDEO_FORM_FIELDS = 16;

/** The same as a form, whose picture may be a file. */
export const openAiVideoForm = videoRequest
  .extend({ input_reference: file('A picture, or its URL.').optional() })
  .meta({ maxProperties: MAX_VIDEO_FORM_FIELDS });

/** Width and height in pixels. */
export function readVideoSize(
  size: string | null | undefined,
): { width: number; height: number } | undefined {
  const [, width, height] = SIZE.exec(size ?? '') ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
}

function isImageUrl(value: string): boolean {
  if (/^data:image\/[\w.+-]{1,127};base64,/i.test(value)) return true;
  return value.length <= LONGEST_ADDRESS && /^https?:\/\//i.test(value) && URL.canParse(value);
}

const FEWEST_NATIVE_SECONDS = 4;
const MOST_NATIVE_SECONDS = 15;
/** The rate of every model of the native API; another one would be another price. */
export const FRAMES_PER_SECOND = 24;
const MOST_FRAMES = MOST_NATIVE_SECONDS * FRAMES_PER_SECOND;
export const MAX_PARTS = 64;
/** Of a type of part, in characters. */
export const LONGEST_TYPE = 64;

/**
 * A video by the native API. Members that decide neither on the price nor on who is notified reach the provider unread.
 *
 * @see https://www.volcengine.com/docs/82379/1520757
 */
export const nativeVideoRequest = z.looseObject({
  model: z.string().min(1).meta({ description: 'At the top level, not inside `metadata`.' }),
  content: checkedApart(
    z
      .array(z.looseObject({ type: z.string().min(1), text: z.string().nullish() }))
      .min(1)
      .max(MAX_PARTS),
    'must be a non-empty array',
  ),
  duration: integerFrom(
    FEWEST_NATIVE_SECONDS,
    MOST_NATIVE_SECONDS,
    `must be an integer of seconds from ${FEWEST_NATIVE_SECONDS} to ${MOST_NATIVE_SECONDS}`,
  ).nullish(),
  frames: integerFrom(1, MOST_FRAMES, `must be from 1 to ${MOST_FRAMES}`).nullish(),
  framespersecond: z.literal(FRAMES_PER_SECOND, `must be ${FRAMES_PER_SECOND}`).nullish(),
  ratio: text
    .refine(
      (value) => value === 'adaptive' || RATIO.test(value),
      'must be <w>:<h>, such as 16:9, or adaptive',
    )
    .nullish()
    .meta({ description: '<w>:<h>, or adaptive.' }),
  resolution: text.regex(/^\s{0,16}[a-zA-Z\d]{1,16}\s{0,16}$/, 'must be a label such as 720p').nullish(),
  draft: flag.nullish(),
  generate_audio: flag.nullish(),
  service_tier: oneOf(['default', 'flex'], 'must be one of default, flex: others have no price').nullish(),
  tools: z.array(z.unknown(), 'must be an array').max(0, 'have no price').nullish(),
  metadata: object.nullish(),
  callback_url: text.nullish(),
});
