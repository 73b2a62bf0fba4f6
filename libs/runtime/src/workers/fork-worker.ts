import cluster from 'node:cluster';
import { closeUnacceptedConnections } from './unaccepted-connections.js';
import type { MessageFromWorker } from './worker-messages.js';
import type { WorkerProcess } from './worker-process.js';

/**
 * Starts a process that shares this one's ports by node:cluster. Its round robin hands a connection only to a worker that has
 * taken the one before, so a frozen worker is left out: docs/decisions/0024-workers.md.
 *
 * @param file the worker's program.
 */
export function forkWorker(file: string): WorkerProcess {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: file, args: [] });
  const worker = cluster.fork();
  closeUnacceptedConnections(worker.process);
  return {
    pid: worker.process.pid,
    send(message) {
      // What cannot be sent to a process that ends is not missed: its end is an event of its own.
      if (worker.isConnected()) worker.process.send(message, () => undefined);
    },
    kill: (signal) => void worker.process.kill(signal),
    onMessage: (listener) => void worker.on('message', (message: MessageFromWorker) => listener(message)),
    onEnd: (listener) => {
      worker.process.once('exit', (code, signal) => listener({ code, signal }));
      // Also called for signals and messages that come too late; a process that was never there has no end but this.
      worker.on('error', () => {
        if (worker.process.pid === undefined) listener({ code: 1, signal: null });
      });
    },
  };
}
