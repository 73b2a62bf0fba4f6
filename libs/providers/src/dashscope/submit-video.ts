import { omitUndefined } from '@mg/contract';
import type { JsonObject, VideoOrder } from '@mg/protocols';
import { buildJobRequest, carryBearer } from '../job-request.js';
import type { JobCall, JobOrder, JobRequest } from '../job-surface.js';
import {
  addExtra,
  choosePixels,
  listDropped,
  needOneOf,
  needSecondsWithin,
  type PixelSize,
  readShape,
  refuseVideoField,
  takeOrder,
} from '../video-fields.js';

const WHO = 'Wan';
const RESOLUTIONS = ['480p', '720p', '1080p'];
/** By default these models make 1080p, which is what their price is then. */
const SIZES: readonly PixelSize[] = [
  ['1920x1080', '16:9', '1080p'],
  ['1080x1920', '9:16', '1080p'],
  ['1440x1440', '1:1', '1080p'],
  ['1632x1248', '4:3', '1080p'],
  ['1248x1632', '3:4', '1080p'],
  ['1280x720', '16:9', '720p'],
  ['720x1280', '9:16', '720p'],
  ['960x960', '1:1', '720p'],
  ['1088x832', '4:3', '720p'],
  ['832x1088', '3:4', '720p'],
  ['832x480', '16:9', '480p'],
  ['480x832', '9:16', '480p'],
  ['624x624', '1:1', '480p'],
];

/** From 2.7 on images are a list of media, and a shape is a ratio and a resolution. */
const HAS_MEDIA = /wan(?:2\.[7-9]|[3-9])/;
const KEY_FRAMES = /kf2v/;

/** @see https://www.alibabacloud.com/help/en/model-studio/text-to-video-api-reference */
export function submitVideo(jobOrder: JobOrder, call: JobCall): JobRequest {
  const order = takeOrder(jobOrder);
  const hasMedia = HAS_MEDIA.test(call.model);
  const service = KEY_FRAMES.test(call.model) ? 'image2video' : 'video-generation';
  const images = hasMedia ? mapMedia(order) : mapImages(order, call.model);
  const body = {
    model: call.model,
    input: omitUndefined({
      prompt: order.prompt,
      negative_prompt: order.negativePrompt,
      ...images,
    }),
    parameters: addExtra(order, {
      ...mapShape(order, hasMedia),
      duration: needSecondsWithin(WHO, order.seconds, 2, 15),
      seed: order.seed,
    }),
  };
  return buildJobRequest(call, {
    method: 'POST',
    path: `/services/aigc/${service}/video-synthesis`,
    headers: { ...carryBearer(call), 'x-dashscope-async': 'enable' },
    body,
    dropped: [...listDropped(order, ['fps']), ...(order.audio === undefined ? [] : ['audio'])],
  });
}

function mapMedia({ image, lastImage, referenceImages = [] }: VideoOrder): JsonObject {
  const media = [
    ...(image === undefined ? [] : [{ type: 'first_frame', url: image }]),
    ...(lastImage === undefined ? [] : [{ type: 'last_frame', url: lastImage }]),
    ...referenceImages.map((url) => ({ type: 'reference_image', url })),
  ];
  return media.length === 0 ? {} : { media };
}

function mapImages({ image, lastImage, referenceImages = [] }: VideoOrder, model: string): JsonObject {
  if (referenceImages.length > 0) return { reference_urls: referenceImages };
  if (KEY_FRAMES.test(model)) return { first_frame_url: image, last_frame_url: lastImage };
  if (lastImage !== undefined) refuseVideoField('lastImage', `${model} takes no last frame`);
  return { img_url: image };
}

/** Older models count pixels, unless an image gives the ratio. */
function mapShape(order: VideoOrder, hasMedia: boolean): JsonObject {
  if (!hasMedia && order.image === undefined)
    return { size: choosePixels(order, WHO, SIZES)?.replace('x', '*') };
  const { ratio, resolution } = readShape(order);
  const known = needOneOf('resolution', WHO, resolution, RESOLUTIONS)?.toUpperCase();
  return hasMedia ? { resolution: known, ratio } : { resolution: known };
}
