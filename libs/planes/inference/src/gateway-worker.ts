import { keepCompiledCode, returnMemoryWhenIdle, runWorker } from '@mg/runtime';
import { shareEnvironment } from './share-environment.js';
import { startInferencePlane } from './start-inference-plane.js';
import { tuneGateway } from './tune-gateway.js';

// The program of one of several gateway processes: docs/decisions/0024-workers.md.
tuneGateway();
keepCompiledCode();
returnMemoryWhenIdle();

runWorker({
  name: 'gateway',
  start: (options) =>
    startInferencePlane({ ...options, environment: shareEnvironment(options.environment, options.worker) }),
});
