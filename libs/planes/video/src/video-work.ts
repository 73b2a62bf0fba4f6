import type { Logger } from '@mg/runtime';
import type { VideoMetrics } from './video-metrics.js';

/** What the worker's classes share. */
export interface VideoWork {
  readonly logger: Logger;
  readonly metrics: VideoMetrics;
}

export const VIDEO_WORK = Symbol('video work');
