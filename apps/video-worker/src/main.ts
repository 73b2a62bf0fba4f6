import 'reflect-metadata';
import { startVideoPlane } from '@mg/plane-video';
import { runPlane } from '@mg/runtime';

await runPlane({ name: 'video-worker', required: ['REDIS_URL'], start: startVideoPlane });
