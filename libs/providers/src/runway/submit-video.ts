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
  refuseVideoField,
  refuseVideoFields,
  takeOrder,
} from '../video-fields.js';

const WHO = 'Runway';
const USUAL_SIZE = '1280x720';

const SIZES: readonly PixelSize[] = [
  [USUAL_SIZE, '16:9', '720p'],
  ['720x1280', '9:16', '720p'],
  ['1104x832', '4:3', '720p'],
  ['832x1104', '3:4', '720p'],
  ['960x960', '1:1', '720p'],
  ['1584x672', '21:9', '720p'],
];
const VEO_SIZES: readonly PixelSize[] = [
  [USUAL_SIZE, '16:9', '720p'],
  ['720x1280', '9:16', '720p'],
  ['1920x1080', '16:9', '1080p'],
  ['1080x1920', '9:16', '1080p'],
];

export function authorize(call: JobCall): Record<string, string> {
  return { ...carryBearer(call), 'x-runway-version': '2024-11-06' };
}

/** @see https://docs.dev.runwayml.com/api/ */
export function submitVideo(jobOrder: JobOrder, call: JobCall): JobRequest {
  const order = takeOrder(jobOrder);
  refuseVideoFields(order, WHO, ['referenceImages']);
  const isOwn = call.model.startsWith('gen');
  if (order.audio === true && isOwn) refuseVideoField('audio', `${call.model} makes no sound`);
  const sizes = call.model.startsWith('veo') ? VEO_SIZES : SIZES;
  const body = addExtra(order, {
    model: call.model,
    promptText: order.prompt,
    promptImage: mapImages(order),
    ratio: (choosePixels(order, WHO, sizes) ?? USUAL_SIZE).replace('x', ':'),
    duration: checkSeconds(order, call.model),
    seed: order.seed,
    audio: isOwn ? undefined : order.audio,
  });
  return buildJobRequest(call, {
    method: 'POST',
    path: order.image === undefined ? '/text_to_video' : '/image_to_video',
    headers: authorize(call),
    body,
    dropped: listDropped(order, ['fps', 'negativePrompt']),
  });
}

function checkSeconds({ seconds }: VideoOrder, model: string): number | undefined {
  if (model.startsWith('veo')) return needOneOf('seconds', model, seconds, [4, 6, 8]);
  return model.startsWith('gen') ? needSecondsWithin(model, seconds, 2, 10) : seconds;
}

function mapImages({ image, lastImage }: VideoOrder): string | JsonObject[] | undefined {
  if (lastImage === undefined) return image;
  if (image === undefined) refuseVideoField('lastImage', `${WHO} takes a last frame only beside a first one`);
  return [
    { uri: image, position: 'first' },
    { uri: lastImage, position: 'last' },
  ];
}
