import { z } from 'zod';
import { defineProvider } from '../descriptor.js';
import { buildJobRequest, carryBearer } from '../job-request.js';
import type { JobSurface } from '../job-surface.js';
import { MODELS } from './models.js';
import { readPoll, readSubmit } from './read-video.js';
import { submitVideo } from './submit-video.js';

const PATH = '/contents/generations/tasks';

const video: JobSurface = {
  native: true,
  submit: submitVideo,
  readSubmit,
  poll: (job, call) =>
    buildJobRequest(call, {
      method: 'GET',
      path: `${PATH}/${encodeURIComponent(job.id)}`,
      headers: carryBearer(call),
    }),
  readPoll,
  cancel: (job, call) =>
    buildJobRequest(call, {
      method: 'DELETE',
      path: `${PATH}/${encodeURIComponent(job.id)}`,
      headers: carryBearer(call),
    }),
};

/**
 * Seedance by the video API of Volcengine Ark, which is the gateway's native video API too. BytePlus has the same
 * API at `https://ark.ap-southeast.bytepluses.com/api/v3`.
 *
 * @see https://www.volcengine.com/docs/82379/1520757
 */
export const videonative = defineProvider({
  id: 'videonative',
  title: 'Volcengine Ark (Seedance video)',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://ark.cn-beijing.volces.com/api/v3',
  versionPath: '/api/v3',
  environmentKey: 'ARK_API_KEY',
  surfaces: [],
  jobs: [video],
  models: MODELS,
});
