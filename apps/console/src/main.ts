import 'reflect-metadata';
import { startConsolePlane } from '@mg/plane-console';
import { runPlane } from '@mg/runtime';

await runPlane({
  name: 'console',
  required: ['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'ENCRYPTION_KEY'],
  start: startConsolePlane,
});
