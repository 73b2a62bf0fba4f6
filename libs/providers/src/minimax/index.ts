import { z } from 'zod';
import { defineProvider, type ModelCard } from '../descriptor.js';
import { buildJobRequest, carryBearer } from '../job-request.js';
import type { JobSurface } from '../job-surface.js';
import { readPoll, readSubmit } from './read-video.js';
import { submitVideo } from './submit-video.js';

const video: JobSurface = {
  submit: submitVideo,
  readSubmit,
  poll: (job, call) =>
    buildJobRequest(call, {
      method: 'GET',
      path: `/query/video_generation?task_id=${encodeURIComponent(job.id)}`,
      headers: carryBearer(call),
    }),
  readPoll,
};

/**
 * MiniMax's Hailuo videos by its first API; `https://api.minimaxi.com/v1` within China.
 *
 * MiniMax asks for a clip of six or ten seconds; prices of our own are those of a second of the more expensive one.
 *
 * @see https://platform.minimax.io/docs/api-reference/video-generation-intro
 */
export const minimax = defineProvider({
  id: 'minimax',
  title: 'MiniMax (Hailuo video)',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://api.minimax.io/v1',
  versionPath: '/v1',
  environmentKey: 'MINIMAX_API_KEY',
  surfaces: [],
  jobs: [video],
  models: [
    card('MiniMax-Hailuo-2.3', '0.056', { '768p': '0.056', '1080p': '0.0817' }),
    card('MiniMax-Hailuo-2.3-Fast', '0.032', { '768p': '0.032', '1080p': '0.055' }),
    card('MiniMax-Hailuo-02', '0.056', { '512p': '0.0167', '768p': '0.056', '1080p': '0.0817' }),
  ],
});

function card(slug: string, perSecond: string, byResolution: Readonly<Record<string, string>>): ModelCard {
  const variants = Object.fromEntries(
    Object.entries(byResolution).map(([resolution, price]) => [resolution, { per_second: price }]),
  );
  return { slug, kind: 'video', price: { per_second: perSecond, variants } };
}
