import { omitUndefined } from '@mg/contract';
import { gatherBytes, type JsonObject, type VideoOrder, writeJsonWithFiles } from '@mg/protocols';
import { pauseOf, takeBase64 } from '../job-media.js';
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
export async function submitVideo(jobOrder: JobOrder, call: JobCall): Promise<JobRequest> {
  const order = takeOrder(jobOrder);
  const { ratio, resolution } = readShape(order);
  const seconds = call.model.startsWith('veo-2')
    ? needSecondsWithin(call.model, order.seconds, 5, 8)
    : needOneOf('seconds', WHO, order.seconds, [4, 6, 8]);
  const body = {
    instances: [omitUndefined({ prompt: order.prompt, ...(await mapImages(order, call)) })],
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
    body: await writeOrder(body, call),
    dropped: [...listDropped(order, ['fps']), ...(order.audio === false ? ['audio'] : [])],
  });
}

async function writeOrder(body: JsonObject, call: JobCall): Promise<Buffer> {
  const pause = pauseOf(call);
  const written = await writeJsonWithFiles(body).writeInSlices?.(pause);
  return gatherBytes(written ?? Buffer.alloc(0), pause);
}

async function mapImages(order: VideoOrder, call: JobCall): Promise<JsonObject> {
  const { image, lastImage, referenceImages = [] } = order;
  if (referenceImages.length > MOST_REFERENCES) {
    refuseVideoField('referenceImages', `${WHO} takes at most ${MOST_REFERENCES}`);
  }
  if (lastImage !== undefined && image === undefined) {
    refuseVideoField('lastImage', `${WHO} takes a last frame only beside a first one`);
  }
  const references: JsonObject[] = [];
  for (const url of referenceImages) {
    references.push({ image: await describeImage('referenceImages', url, call), referenceType: 'asset' });
  }
  return {
    image: image === undefined ? undefined : await describeImage('image', image, call),
    lastFrame: lastImage === undefined ? undefined : await describeImage('lastImage', lastImage, call),
    referenceImages: references.length === 0 ? undefined : references,
  };
}

async function describeImage(field: VideoField, url: string, call: JobCall): Promise<JsonObject> {
  const { mimeType, base64 } = await takeBase64(field, url, call);
  return { bytesBase64Encoded: base64, mimeType };
}
