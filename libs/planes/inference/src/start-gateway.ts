import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@mg/contract';
import { openDatabase } from '@mg/persistence/gateway';
import {
  createMetrics,
  forkWorker,
  type PlaneOptions,
  type RunningPlane,
  StandBy,
  startPlane,
  WorkerPool,
  WorkerScrapes,
} from '@mg/runtime';
import { startInferencePlane } from './start-inference-plane.js';

const WORKER_FILE = fileURLToPath(new URL('./gateway-worker.js', import.meta.url));
/** Beyond what the pool itself takes, so that it is the pool that says what was lost. */
const STOP_MARGIN_MS = 500;

/** Starts the gateway plane in as many processes as GATEWAY_WORKERS says: with one, in this process. */
export function startGateway(options: PlaneOptions): Promise<RunningPlane> {
  const { GATEWAY_WORKERS: workers } = options.environment;
  const count = workers === 'auto' ? availableParallelism() : workers;
  return count === 1 ? startInferencePlane(options) : startWorkers(options, count);
}

function startWorkers(options: PlaneOptions, count: number): Promise<RunningPlane> {
  const { environment, logger, signal } = options;
  return startPlane('gateway', options, async (life) => {
    await awaitSchema(options);
    const pool = new WorkerPool({
      count,
      environment,
      logger,
      fork: () => forkWorker(WORKER_FILE),
      scrapes: new WorkerScrapes(createMetrics('gateway', environment), count),
      // Ends the process as it is ended from outside: everything else that it runs is closed first.
      onGiveUp: () => void process.kill(process.pid, 'SIGTERM'),
    });
    const withinMs = pool.stopsWithinMs + STOP_MARGIN_MS;
    life.onStop('intake', { name: 'workers', close: () => pool.stop(), withinMs, required: true });
    return pool.start(signal);
  });
}

/** Waits for the schema, on the port, before there are workers: one process migrates it and says that it waits. */
async function awaitSchema(options: PlaneOptions): Promise<void> {
  const url = requireDatabaseUrl(options.environment);
  const standBy = new StandBy({ ...options, plane: 'gateway', portVariable: 'GATEWAY_PORT' });
  const database = await openDatabase({ url, poolSize: 1, applicationName: 'gateway', standBy });
  await database.destroy();
}

function requireDatabaseUrl({ DATABASE_URL: url }: Environment): string {
  if (url === undefined) throw new Error('The gateway needs DATABASE_URL.');
  return url;
}
