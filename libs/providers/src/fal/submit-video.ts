import type { JsonObject, VideoOrder } from '@mg/protocols';
import { buildJobRequest } from '../job-request.js';
import type { JobCall, JobOrder, JobRequest } from '../job-surface.js';
import {
  addExtra,
  listDropped,
  readShape,
  refuseTextOptions,
  refuseVideoField,
  refuseVideoFields,
  takeOrder,
} from '../video-fields.js';

const WHO = 'fal';

export function authorize(call: JobCall): Record<string, string> {
  return { authorization: `Key ${call.apiKey ?? ''}` };
}

/**
 * A request in fal's queue. Each of its models has a schema of its own; the names here are those that most video
 * models share, and a model without one of them refuses it.
 *
 * @see https://fal.ai/docs/api-reference/inference-api
 */
export function submitVideo(jobOrder: JobOrder, call: JobCall): JobRequest {
  const order = takeOrder(jobOrder);
  refuseVideoFields(order, WHO, ['referenceImages']);
  if (/seedance/.test(call.model)) refuseTextOptions(order);
  const { ratio, resolution } = readShape(order);
  const body = addExtra(order, {
    prompt: order.prompt,
    negative_prompt: order.negativePrompt,
    ...mapImages(order, call.model),
    duration: writeSeconds(order.seconds, call.model),
    aspect_ratio: ratio,
    resolution,
    seed: order.seed,
    generate_audio: order.audio,
  });
  return buildJobRequest(call, {
    method: 'POST',
    path: `/${call.model.split('/').map(encodeURIComponent).join('/')}`,
    headers: authorize(call),
    body,
    dropped: listDropped(order, ['fps']),
  });
}

/** Veo's schema wants a unit, the others a text of digits. */
function writeSeconds(seconds: number, model: string): string {
  return /veo/.test(model) ? `${seconds}s` : String(seconds);
}

function mapImages({ image, lastImage }: VideoOrder, model: string): JsonObject {
  if (lastImage === undefined) return { image_url: image };
  if (image === undefined) refuseVideoField('lastImage', `${WHO} takes a last frame only beside a first one`);
  if (/veo/.test(model)) return { first_frame_url: image, last_frame_url: lastImage };
  return { image_url: image, [/kling/.test(model) ? 'tail_image_url' : 'end_image_url']: lastImage };
}
