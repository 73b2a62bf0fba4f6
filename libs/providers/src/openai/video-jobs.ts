import { listOrderMedia } from '../job-media.js';
import { buildDownload, buildJobRequest, carryBearer } from '../job-request.js';
import type { JobSurface } from '../job-surface.js';
import { readPoll, readSubmit } from './read-video.js';
import { submitVideo } from './submit-video.js';

/**
 * OpenAI's video API. OpenAI itself has closed it; others keep serving their models by it.
 *
 * @see https://platform.openai.com/docs/api-reference/videos
 */
export const videoJobs: JobSurface = {
  remixes: true,
  listMedia: listOrderMedia,
  submit: submitVideo,
  readSubmit,
  poll: (job, call) =>
    buildJobRequest(call, {
      method: 'GET',
      path: `/videos/${encodeURIComponent(job.id)}`,
      headers: carryBearer(call),
    }),
  readPoll,
  download: (result, call) => buildDownload(result.url, call, carryBearer(call)),
};
