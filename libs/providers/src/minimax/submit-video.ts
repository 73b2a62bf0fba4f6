import type { JsonObject, VideoOrder } from '@mg/protocols';
import { buildJobRequest, carryBearer } from '../job-request.js';
import type { JobCall, JobOrder, JobRequest } from '../job-surface.js';
import {
  addExtra,
  listDropped,
  needOneOf,
  refuseVideoField,
  refuseVideoFields,
  takeOrder,
} from '../video-fields.js';

const WHO = 'Hailuo';
const RESOLUTIONS = ['512p', '720p', '768p', '1080p'];

/** @see https://platform.minimax.io/docs/api-reference/video-generation-t2v */
export function submitVideo(jobOrder: JobOrder, call: JobCall): JobRequest {
  const order = takeOrder(jobOrder);
  refuseVideoFields(order, WHO, ['size']);
  if (order.audio === true) refuseVideoField('audio', `${WHO} makes no sound`);
  if (order.ratio !== undefined && order.ratio !== '16:9' && order.image === undefined) {
    refuseVideoField('ratio', `${WHO} takes 16:9, or the ratio of the first frame`);
  }
  const resolution = needOneOf('resolution', WHO, order.resolution?.toLowerCase(), RESOLUTIONS);
  const body = addExtra(order, {
    model: call.model,
    prompt: order.prompt,
    duration: needOneOf('seconds', WHO, order.seconds, [6, 10]),
    resolution: resolution?.toUpperCase(),
    ...mapImages(order),
  });
  return buildJobRequest(call, {
    method: 'POST',
    path: '/video_generation',
    headers: carryBearer(call),
    body,
    dropped: listDropped(order, ['fps', 'seed', 'negativePrompt']),
  });
}

function mapImages({ image, lastImage, referenceImages = [] }: VideoOrder): JsonObject {
  if (referenceImages.length > 1) refuseVideoField('referenceImages', `${WHO} takes one subject`);
  return {
    first_frame_image: image,
    last_frame_image: lastImage,
    subject_reference:
      referenceImages.length === 0 ? undefined : [{ type: 'character', image: referenceImages }],
  };
}
