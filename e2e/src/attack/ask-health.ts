import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Runs in a thread of its own, so that the loop of whoever attacks does not count. It imports no file of this repository, so
// that Node can read it from its source.

const PAUSE_MS = 5;

const { url } = workerData as { url: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let delays: number[] = [];

function ask(): Promise<void> {
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const done = () => {
      delays.push(performance.now() - startedMs);
      setTimeout(resolve, PAUSE_MS);
    };
    get(url, { agent }, (response) => response.resume().on('end', done)).on('error', done);
  });
}

parentPort?.on('message', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(delays);
  delays = [];
});

for (;;) await ask();
