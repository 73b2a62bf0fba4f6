import 'reflect-metadata';
import { startGateway, tuneGateway } from '@mg/plane-inference';
import { returnMemoryWhenIdle, runPlane } from '@mg/runtime';

tuneGateway();
returnMemoryWhenIdle();

await runPlane({
  name: 'gateway',
  required: ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY'],
  start: startGateway,
});
