import type { JsonObject, VideoOrder } from '@mg/protocols';
import { buildJobRequest, carryBearer } from '../job-request.js';
import type { JobCall, JobOrder, JobRequest } from '../job-surface.js';
import {
  addExtra,
  listDropped,
  needOneOf,
  needSecondsWithin,
  readShape,
  refuseTextOptions,
  refuseVideoField,
} from '../video-fields.js';

const WHO = 'Seedance';
const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'];
const RESOLUTIONS = ['480p', '720p', '1080p', '4k'];

/** Seconds by family; a model that no line knows has its provider's own limits. */
const SECONDS: readonly (readonly [family: RegExp, fewest: number, most: number])[] = [
  [/seedance-1-0/, 2, 12],
  [/seedance-1-5/, 4, 12],
  [/seedance-2/, 4, 15],
];

/**
 * A task of Ark's video API. The native body goes as it came: only the model is mapped, and the caller's callback is
 * ours to serve, as upstream knows the task by another id.
 *
 * @see https://www.volcengine.com/docs/82379/1520757
 */
export function submitVideo(order: JobOrder, call: JobCall): JobRequest {
  const { body, dropped } =
    order.apiVariant === 'native'
      ? { body: takeNative(order.body), dropped: [] }
      : mapOrder(order.order, call.model);
  return buildJobRequest(call, {
    method: 'POST',
    path: '/contents/generations/tasks',
    headers: carryBearer(call),
    body: { ...body, model: call.model },
    dropped,
  });
}

function takeNative(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'callback_url'));
}

function mapOrder(order: VideoOrder, model: string): { body: JsonObject; dropped: readonly string[] } {
  refuseTextOptions(order);
  const { ratio, resolution } = readShape(order);
  const limits = SECONDS.find(([family]) => family.test(model));
  const supportsAudio = !/seedance-1-0/.test(model);
  if (order.audio === true && !supportsAudio) refuseVideoField('audio', `${model} makes no sound`);
  const body = addExtra(order, {
    model,
    content: [{ type: 'text', text: order.prompt }, ...listImages(order)],
    duration: limits ? needSecondsWithin(model, order.seconds, limits[1], limits[2]) : order.seconds,
    ratio: needOneOf('ratio', WHO, ratio, RATIOS),
    resolution: needOneOf('resolution', WHO, resolution, RESOLUTIONS),
    seed: order.seed,
    generate_audio: supportsAudio ? order.audio : undefined,
  });
  return { body, dropped: listDropped(order, ['fps', 'negativePrompt']) };
}

function listImages({ image, lastImage, referenceImages = [] }: VideoOrder): JsonObject[] {
  if (referenceImages.length > 0 && (image ?? lastImage) !== undefined) {
    refuseVideoField('referenceImages', `${WHO} takes either frames or references`);
  }
  if (lastImage !== undefined && image === undefined) {
    refuseVideoField('lastImage', `${WHO} takes a last frame only beside a first one`);
  }
  return [
    ...(image === undefined ? [] : [describeImage(image, 'first_frame')]),
    ...(lastImage === undefined ? [] : [describeImage(lastImage, 'last_frame')]),
    ...referenceImages.map((url) => describeImage(url, 'reference_image')),
  ];
}

function describeImage(url: string, role: string): JsonObject {
  return { type: 'image_url', image_url: { url }, role };
}
