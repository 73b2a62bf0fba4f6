import 'reflect-metadata';
import { startInferencePlane } from '@mg/plane-inference';
import { runPlane } from '@mg/runtime';

await runPlane({
  name: 'gateway',
  required: ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY'],
  start: startInferencePlane,
});
