import 'reflect-metadata';
import { startGateway, tuneGateway } from '@mg/plane-inference';
import { keepCompiledCode, returnMemoryWhenIdle, runPlane } from '@mg/runtime';

tuneGateway();
keepCompiledCode();
returnMemoryWhenIdle();

await runPlane({
  name: 'gateway',
  required: ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY'],
  start: startGateway,
});
