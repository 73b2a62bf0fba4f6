import { omitUndefined } from '@mg/contract';
import type { JsonObject, VideoOrder } from '@mg/protocols';
import { takeMedia } from '../job-media.js';
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
  type VideoField,
} from '../video-fields.js';

const WHO = 'Veo';
const RATIOS = ['16:9', '9:16'];
const RESOLUTIONS = ['720p', '1080p', '4k'];
const MOST_REFERENCES = 3;

export function authorize(call: JobCall): Record<string, string> {
  return { 'x-goog-api-key': call.apiKey ?? '' };
}

/**
 * A long-running operation of Veo. Images go as bytes: Gemini fetches none.
 *
 * @see https://ai.google.dev/gemini-api/docs/video
 */
export function submitVideo(jobOrder: JobOrder, call: JobCall): JobRequest {
  const order = takeOrder(jobOrder);
  const { ratio, resolution } = readShape(order);
  const seconds = call.model.startsWith('veo-2')
    ? needSecondsWithin(call.model, order.seconds, 5, 8)
    : needOneOf('seconds', WHO, order.seconds, [4, 6, 8]);
  const body = {
    instances: [omitUndefined({ prompt: order.prompt, ...mapImages(order, call) })],
    parameters: addExtra(order, {
      durationSeconds: seconds,
      aspectRatio: needOneOf('ratio', WHO, ratio, RATIOS),
      resolution: needOneOf('resolution', WHO, resolution, RESOLUTIONS),
      negativePrompt: order.negativePrompt,
      seed: order.seed,
    }),
  };
  return buildJobRequest(call, {
    method: 'POST',
    path: `/models/${encodeURIComponent(call.model)}:predictLongRunning`,
    headers: authorize(call),
    body,
    dropped: [...listDropped(order, ['fps']), ...(order.audio === false ? ['audio'] : [])],
  });
}

function mapImages(order: VideoOrder, call: JobCall): JsonObject {
  const { image, lastImage, referenceImages = [] } = order;
  if (referenceImages.length > MOST_REFERENCES) {
    refuseVideoField('referenceImages', `${WHO} takes at most ${MOST_REFERENCES}`);
  }
  if (lastImage !== undefined && image === undefined) {
    refuseVideoField('lastImage', `${WHO} takes a last frame only beside a first one`);
  }
  return {
    image: image === undefined ? undefined : describeImage('image', image, call),
    lastFrame: lastImage === undefined ? undefined : describeImage('lastImage', lastImage, call),
    referenceImages:
      referenceImages.length === 0
        ? undefined
        : referenceImages.map((url) => ({
            image: describeImage('referenceImages', url, call),
            referenceType: 'asset',
          })),
  };
}

function describeImage(field: VideoField, url: string, call: JobCall): JsonObject {
  const { mimeType, bytes } = takeMedia(field, url, call);
  return { bytesBase64Encoded: bytes.toString('base64'), mimeType };
}
