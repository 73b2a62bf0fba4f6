import { omitUndefined } from '@mg/contract';
import type { RemixSource, VideoOrder } from '@mg/protocols';
import { takeMedia } from '../job-media.js';
import { buildJobRequest, carryBearer } from '../job-request.js';
import type { JobCall, JobOrder, JobRequest } from '../job-surface.js';
import {
  choosePixels,
  listDropped,
  type PixelSize,
  readShape,
  needOneOf,
  refuseVideoFields,
  takeOrder,
} from '../video-fields.js';

const WHO = 'the OpenAI video API';
const SORA_SECONDS = [4, 8, 12];
const SIZES: readonly PixelSize[] = [
  ['1280x720', '16:9', '720p'],
  ['720x1280', '9:16', '720p'],
  ['1792x1024', '7:4', '1024p'],
  ['1024x1792', '4:7', '1024p'],
  ['1920x1080', '16:9', '1080p'],
  ['1080x1920', '9:16', '1080p'],
];

/** A video job, as a form: servers that look like OpenAI know no other way to send an image. */
export async function submitVideo(jobOrder: JobOrder, call: JobCall): Promise<JobRequest> {
  const order = takeOrder(jobOrder);
  if (order.remixOf) return submitRemix(order.prompt, order.remixOf, call);
  refuseVideoFields(order, WHO, ['lastImage', 'referenceImages']);
  const form = new FormData();
  for (const [name, value] of Object.entries(order.extra ?? {})) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.set('model', call.model);
  form.set('prompt', order.prompt);
  form.set('seconds', String(checkSeconds(order, call.model)));
  const size = chooseSize(order, call.model);
  if (size !== undefined) form.set('size', size);
  if (order.image !== undefined) {
    const { mimeType, bytes } = takeMedia('image', order.image, call);
    const name = `image.${mimeType.split('/')[1] ?? 'png'}`;
    form.set('input_reference', new Blob([Uint8Array.from(bytes)], { type: mimeType }), name);
  }
  const encoded = new Response(form);
  const dropped = [
    ...listDropped(order, ['fps', 'seed', 'negativePrompt']),
    ...(order.audio === false ? ['audio'] : []),
  ];
  return {
    method: 'POST',
    url: new URL(`${call.baseUrl}/videos`),
    headers: {
      accept: 'application/json',
      'user-agent': 'model-gateway',
      'content-type': encoded.headers.get('content-type') ?? '',
      ...carryBearer(call),
    },
    body: Buffer.from(await encoded.arrayBuffer()),
    ...omitUndefined({ dropped: dropped.length === 0 ? undefined : dropped }),
  };
}

/** A video like one that this account has made, by another prompt. */
function submitRemix(prompt: string, { jobId }: RemixSource, call: JobCall): JobRequest {
  return buildJobRequest(call, {
    method: 'POST',
    path: `/videos/${encodeURIComponent(jobId)}/remix`,
    headers: carryBearer(call),
    body: { prompt },
  });
}

function isSora(model: string): boolean {
  return model.startsWith('sora');
}

/** Other models behind this API have lengths of their own. */
function checkSeconds({ seconds }: VideoOrder, model: string): number | undefined {
  return isSora(model) ? needOneOf('seconds', model, seconds, SORA_SECONDS) : seconds;
}

/** Other models have sizes of their own too, which must agree with the fields beside them. */
function chooseSize(order: VideoOrder, model: string): string | undefined {
  if (isSora(model) || !order.size) return choosePixels(order, WHO, SIZES);
  readShape(order);
  return `${order.size.width}x${order.size.height}`;
}
