import 'reflect-metadata';
import { startVideoPlane } from '@mg/plane-video';
import { runPlane } from '@mg/runtime';

await runPlane({
  name: 'video-worker',
  required: ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY'],
  start: startVideoPlane,
});
