import { z } from 'zod';
import { defineProvider, type ModelCard } from '../descriptor.js';
import type { JobSurface } from '../job-surface.js';
import { requestLink, readPoll, readSubmit } from './read-video.js';
import { submitVideo } from './submit-video.js';

const video: JobSurface = {
  submit: submitVideo,
  readSubmit,
  poll: (job, call) => requestLink(job, 'status_url', call),
  readPoll,
  cancel: (job, call) => requestLink(job, 'cancel_url', call, 'PUT'),
};

/**
 * Video models of many makers in fal's queue. A model is named with its whole path, `fal-ai/veo3.1/image-to-video`. Prices
 * of our own are those with audio, from each model's page, such as https://fal.ai/models/fal-ai/veo3.1.
 *
 * @see https://fal.ai/docs/api-reference/inference-api
 */
export const fal = defineProvider({
  id: 'fal',
  title: 'fal',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://queue.fal.run',
  versionPath: '',
  environmentKey: 'FAL_KEY',
  surfaces: [],
  jobs: [video],
  models: [
    veo('fal-ai/veo3.1', '0.4', '0.6'),
    veo('fal-ai/veo3.1/image-to-video', '0.4', '0.6'),
    veo('fal-ai/veo3.1/fast', '0.15', '0.35'),
    { slug: 'fal-ai/kling-video/v2.5-turbo/pro/text-to-video', kind: 'video', price: { per_second: '0.07' } },
    {
      slug: 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video',
      kind: 'video',
      price: { per_second: '0.07' },
    },
  ],
});

function veo(slug: string, perSecond: string, perSecondIn4k: string): ModelCard {
  return {
    slug,
    kind: 'video',
    price: { per_second: perSecond, variants: { '4k': { per_second: perSecondIn4k } } },
  };
}
