import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { startGateway } from '@mg/plane-inference';
import { returnMemoryWhenIdle, runPlane } from '@mg/runtime';

// V8 would let the heap double before it collects it, into whatever memory the machine has: a thousand streams fit in 300 MB
// this way. It limits nothing: the heap still grows as large as what is alive wants it.
setFlagsFromString('--heap-growing-percent=30');
returnMemoryWhenIdle();

await runPlane({
  name: 'gateway',
  required: ['DATABASE_URL', 'REDIS_URL', 'ENCRYPTION_KEY'],
  start: startGateway,
});
