import cluster from 'node:cluster';
import { runPlane } from '../run-plane.js';
import type { PlaneOptions, RunningPlane } from '../running-plane.js';
import { ExchangedMetrics } from './exchanged-metrics.js';
import type { MessageFromWorker, MessageToWorker } from './worker-messages.js';
import type { WorkerRole } from './worker-role.js';

const ALIVE_EVERY_MS = 5_000;

export interface WorkerProgram {
  readonly name: string;
  start(options: PlaneOptions & { readonly worker: WorkerRole }): Promise<RunningPlane>;
}

/** The body of a worker's program: starts when its primary says so, and drains on a signal, or when the primary is gone. */
export function runWorker(program: WorkerProgram): void {
  const { worker } = cluster;
  if (!worker) throw new Error('A worker is started by its primary.');
  // Otherwise node:cluster would end this process at once, and the calls in flight, when the primary is gone.
  worker.exitedAfterDisconnect = true;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  const send = (message: MessageFromWorker) => {
    // What cannot be sent to a primary that is gone is not missed.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  const metrics = new ExchangedMetrics(send);
  process.on('message', (message: MessageToWorker) => {
    metrics.receive(message);
    if (message.type === 'start') void startPlane(program, message, { metrics, send });
  });
  setInterval(() => send({ type: 'alive' }), ALIVE_EVERY_MS).unref();
  send({ type: 'loaded' });
}

interface Link {
  readonly metrics: ExchangedMetrics;
  readonly send: (message: MessageFromWorker) => void;
}

function startPlane(
  { name, start }: WorkerProgram,
  { environment, number, of }: Extract<MessageToWorker, { readonly type: 'start' }>,
  { metrics, send }: Link,
): Promise<void> {
  const worker: WorkerRole = { number, of, shareMetrics: (registry) => metrics.share(registry) };
  return runPlane({
    name,
    environment,
    start: async (options) => {
      const plane = await start({ ...options, worker });
      send({ type: 'ready', address: plane.address });
      return plane;
    },
  });
}
