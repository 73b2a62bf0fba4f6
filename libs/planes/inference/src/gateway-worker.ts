import { setFlagsFromString } from 'node:v8';
import { returnMemoryWhenIdle, runWorker } from '@mg/runtime';
import { shareEnvironment } from './share-environment.js';
import { startInferencePlane } from './start-inference-plane.js';

// The program of one of several gateway processes: docs/decisions/0024-workers.md. The heap grows as in apps/gateway.
setFlagsFromString('--heap-growing-percent=30');
returnMemoryWhenIdle();

runWorker({
  name: 'gateway',
  start: (options) =>
    startInferencePlane({ ...options, environment: shareEnvironment(options.environment, options.worker) }),
});
