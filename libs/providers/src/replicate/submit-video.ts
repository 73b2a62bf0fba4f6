import { omitUndefined } from '@mg/contract';
import type { JsonObject, VideoOrder } from '@mg/protocols';
import { buildJobRequest, carryBearer } from '../job-request.js';
import type { JobCall, JobOrder, JobRequest } from '../job-surface.js';
import { addExtra, readShape, refuseTextOptions, refuseVideoField, takeOrder } from '../video-fields.js';

interface ImageFieldNames {
  readonly first: string;
  readonly last: string;
  readonly references: string;
}

/** What makers call their images; most say it like the last line. */
const IMAGE_FIELDS: readonly (readonly [maker: RegExp, names: ImageFieldNames])[] = [
  [/^kwaivgi\//, { first: 'start_image', last: 'end_image', references: 'reference_images' }],
  [/^minimax\//, { first: 'first_frame_image', last: 'last_frame_image', references: 'subject_reference' }],
  [/^google\//, { first: 'image', last: 'last_frame', references: 'reference_images' }],
  [/^openai\//, { first: 'input_reference', last: 'last_frame', references: 'reference_images' }],
  [/./, { first: 'image', last: 'last_frame_image', references: 'reference_images' }],
];

/**
 * A prediction. Each model has a schema of its own; the names here are those that most video models share, and a model
 * without one of them ignores or refuses it.
 *
 * @see https://replicate.com/docs/reference/http#models.predictions.create
 */
export function submitVideo(jobOrder: JobOrder, call: JobCall): JobRequest {
  const order = takeOrder(jobOrder);
  if (/seedance/.test(call.model)) refuseTextOptions(order);
  const [name = '', version] = call.model.split(':');
  const { ratio, resolution } = readShape(order);
  const input = addExtra(order, {
    prompt: order.prompt,
    negative_prompt: order.negativePrompt,
    ...mapImages(order, name),
    [name.startsWith('openai/') ? 'seconds' : 'duration']: order.seconds,
    aspect_ratio: ratio,
    resolution,
    fps: order.fps,
    seed: order.seed,
    generate_audio: order.audio,
  });
  const isOfficial = version === undefined && name.includes('/');
  return buildJobRequest(call, {
    method: 'POST',
    path: isOfficial
      ? `/models/${name.split('/').map(encodeURIComponent).join('/')}/predictions`
      : '/predictions',
    headers: carryBearer(call),
    body: omitUndefined({ version: isOfficial ? undefined : (version ?? name), input }),
  });
}

function mapImages({ image, lastImage, referenceImages }: VideoOrder, model: string): JsonObject {
  if (lastImage !== undefined && image === undefined) {
    refuseVideoField('lastImage', 'is taken only beside a first frame');
  }
  const names = IMAGE_FIELDS.find(([maker]) => maker.test(model))?.[1];
  if (!names) return {};
  return { [names.first]: image, [names.last]: lastImage, [names.references]: referenceImages };
}
