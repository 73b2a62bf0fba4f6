import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Runs in a thread of its own, so that it does not slow down the one that measures. It imports no file of this repository, so
// that Node can read it from its source.

const { url, key, loops } = workerData as { url: string; key: string; loops: number };
const agent = new Agent({ keepAlive: true, maxSockets: loops });
const headers = { authorization: `Bearer ${key}` };
const counts = new Map<number, number>();

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const status = response.statusCode ?? 0;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      response.resume().on('end', resolve);
    }).on('error', reject);
  });
}

parentPort?.on('message', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(Object.fromEntries(counts));
});

async function askForever(): Promise<never> {
  for (;;) await ask();
}

await Promise.all(Array.from({ length: loops }, askForever));
