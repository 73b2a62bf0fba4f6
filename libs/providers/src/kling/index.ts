import { z } from 'zod';
import { defineProvider, type ModelCard } from '../descriptor.js';
import { buildJobRequest } from '../job-request.js';
import type { JobSurface } from '../job-surface.js';
import { takeOrder } from '../video-fields.js';
import { readFind, readPoll, readSubmit } from './read-video.js';
import { authorize, choosePath, submitVideo } from './submit-video.js';

const video: JobSurface = {
  submit: submitVideo,
  readSubmit,
  poll: (job, call) =>
    buildJobRequest(call, {
      method: 'GET',
      path: `${String(job.data.path)}/${encodeURIComponent(job.id)}`,
      headers: authorize(call),
    }),
  readPoll,
  find: (order, call) =>
    buildJobRequest(call, {
      method: 'GET',
      path: `${choosePath(takeOrder(order))}/${encodeURIComponent(call.reference)}`,
      headers: authorize(call),
    }),
  readFind,
};

/**
 * Kling's own API, outside China; `https://api-beijing.klingai.com/v1` within. The channel's key is `access|secret`.
 *
 * Prices of our own are those of 720p without audio, apart from 1080p; Kling asks about twice as much for audio, so
 * models that make audio have the price with it.
 *
 * @see https://app.klingai.com/global/dev/document-api/apiReference/commonInfo
 */
export const kling = defineProvider({
  id: 'kling',
  title: 'Kling',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://api-singapore.klingai.com/v1',
  versionPath: '/v1',
  surfaces: [],
  jobs: [video],
  models: [
    card('kling-v3', '0.126', '0.168'),
    card('kling-v2-6', '0.14', '0.14'),
    card('kling-v2-5-turbo', '0.042', '0.07'),
    card('kling-v2-1', '0.056', '0.098'),
  ],
});

function card(slug: string, standard: string, professional: string): ModelCard {
  const variants = { '720p': { per_second: standard }, '1080p': { per_second: professional } };
  return { slug, kind: 'video', price: { per_second: standard, variants } };
}
