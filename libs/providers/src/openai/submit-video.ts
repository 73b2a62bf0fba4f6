import { omitUndefined } from '@mg/contract';
import { type FormPart, gatherBytes, type RemixSource, type VideoOrder, writeForm } from '@mg/protocols';
import { pauseOf, takeMedia } from '../job-media.js';
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
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(order.extra ?? {})) {
    fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  fields.set('model', call.model);
  fields.set('prompt', order.prompt);
  fields.set('seconds', String(checkSeconds(order, call.model)));
  const size = chooseSize(order, call.model);
  if (size !== undefined) fields.set('size', size);
  const parts: FormPart[] = [...fields].map(([name, value]) => ({ name, bytes: Buffer.from(value) }));
  if (order.image !== undefined) {
    const { mimeType, bytes } = await takeMedia('image', order.image, call);
    const filename = `image.${mimeType.split('/')[1] ?? 'png'}`;
    parts.push({ name: 'input_reference', filename, contentType: mimeType, bytes });
  }
  const form = writeForm(parts);
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
      'content-type': form.contentType,
      ...carryBearer(call),
    },
    body: await gatherBytes(form.bytes, pauseOf(call)),
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
