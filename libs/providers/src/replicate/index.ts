import { z } from 'zod';
import { defineProvider } from '../descriptor.js';
import type { JobSurface } from '../job-surface.js';
import { requestLink, readPoll, readSubmit } from './read-video.js';
import { submitVideo } from './submit-video.js';

const video: JobSurface = {
  submit: submitVideo,
  readSubmit,
  poll: (job, call) => requestLink(job, 'get', call),
  readPoll,
  cancel: (job, call) => requestLink(job, 'cancel', call),
};

/**
 * Video models of many makers on Replicate: `owner/name`, or `owner/name:version`.
 *
 * @see https://replicate.com/docs/reference/http
 */
export const replicate = defineProvider({
  id: 'replicate',
  title: 'Replicate',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://api.replicate.com/v1',
  versionPath: '/v1',
  environmentKey: 'REPLICATE_API_TOKEN',
  surfaces: [],
  jobs: [video],
  models: [
    { slug: 'google/veo-3.1', kind: 'video', price: { per_second: '0.4' } },
    { slug: 'google/veo-3.1-fast', kind: 'video', price: { per_second: '0.15' } },
    { slug: 'kwaivgi/kling-v2.5-turbo-pro', kind: 'video', price: { per_second: '0.07' } },
    {
      slug: 'bytedance/seedance-1-pro',
      kind: 'video',
      price: {
        per_second: '0.15',
        variants: {
          '480p': { per_second: '0.03' },
          '720p': { per_second: '0.06' },
          '1080p': { per_second: '0.15' },
        },
      },
    },
  ],
});
