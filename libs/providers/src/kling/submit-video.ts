import type { JsonObject, VideoOrder } from '@mg/protocols';
import { buildJobRequest } from '../job-request.js';
import type { JobCall, JobOrder, JobRequest } from '../job-surface.js';
import {
  addExtra,
  listDropped,
  needOneOf,
  needSecondsWithin,
  readShape,
  refuseVideoField,
  takeOrder,
} from '../video-fields.js';
import { signToken } from './sign-token.js';

const WHO = 'Kling';
const RATIOS = ['16:9', '9:16', '1:1'];
/** Kling's quality modes by what they make. */
const MODES: Readonly<Record<string, string>> = { '720p': 'std', '1080p': 'pro' };

export function authorize(call: JobCall): Record<string, string> {
  return { authorization: `Bearer ${signToken(call.apiKey ?? '', call.nowMs)}` };
}

/** The way of making a video that an order needs; its polls go the same way. */
export function choosePath({ image, referenceImages = [] }: VideoOrder): string {
  if (referenceImages.length > 0) return '/videos/multi-image2video';
  return image === undefined ? '/videos/text2video' : '/videos/image2video';
}

/**
 * A video task. Kling makes only one task of one `external_task_id`, which is ours.
 *
 * @see https://app.klingai.com/global/dev/document-api/apiReference/model/textToVideo
 */
export function submitVideo(jobOrder: JobOrder, call: JobCall): JobRequest {
  const order = takeOrder(jobOrder);
  const { ratio, resolution } = readShape(order);
  const known = needOneOf('resolution', WHO, resolution, Object.keys(MODES));
  const supportsAudio = /kling-v(?:2-6|[3-9])/.test(call.model);
  if (order.audio === true && !supportsAudio) refuseVideoField('audio', `${call.model} makes no sound`);
  const body = addExtra(order, {
    model_name: call.model,
    prompt: order.prompt,
    negative_prompt: order.negativePrompt,
    ...mapImages(order),
    duration: String(checkSeconds(order, call.model)),
    aspect_ratio: needOneOf('ratio', WHO, ratio, RATIOS),
    mode: known === undefined ? undefined : MODES[known],
    sound: supportsAudio && order.audio !== undefined ? (order.audio ? 'on' : 'off') : undefined,
    external_task_id: call.reference,
  });
  return buildJobRequest(call, {
    method: 'POST',
    path: choosePath(order),
    headers: authorize(call),
    body,
    dropped: listDropped(order, ['fps', 'seed']),
  });
}

function checkSeconds({ seconds }: VideoOrder, model: string): number | undefined {
  if (/kling-v[3-9]/.test(model)) return needSecondsWithin(model, seconds, 3, 15);
  return needOneOf('seconds', WHO, seconds, [5, 10]);
}

function mapImages({ image, lastImage, referenceImages = [] }: VideoOrder): JsonObject {
  if (referenceImages.length > 0) {
    if ((image ?? lastImage) !== undefined) {
      refuseVideoField('referenceImages', `${WHO} takes either frames or references`);
    }
    return { image_list: referenceImages.map((url) => ({ image: stripDataPrefix(url) })) };
  }
  if (lastImage !== undefined && image === undefined) {
    refuseVideoField('lastImage', `${WHO} takes a last frame only beside a first one`);
  }
  return {
    image: image === undefined ? undefined : stripDataPrefix(image),
    image_tail: lastImage === undefined ? undefined : stripDataPrefix(lastImage),
  };
}

/** Kling wants base64 without the head of a data URL. */
function stripDataPrefix(url: string): string {
  return url.replace(/^data:[^,]*,/i, '');
}
