import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

// Runs as a process of its own, so that neither the loop nor the memory of whoever attacks counts. It imports no file of
// this repository, so that Node can read it from its source.

const PAUSE_MS = 5;
const NANOSECONDS_IN_MS = 1_000_000;

const [, , url = '', pid = ''] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** Of each answer: how long it took, and how long the gateway's loop ran meanwhile, both in milliseconds. */
let delays: [elapsedMs: number, heldMs: number][] = [];

/**
 * CPU time of the process's first thread, which runs its event loop. Where the system does not say, all of the time counts.
 * https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
 */
function readLoopMs(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / NANOSECONDS_IN_MS;
  } catch {
    return performance.now();
  }
}

function ask(): Promise<void> {
  return new Promise((resolve) => {
    const loopMs = readLoopMs();
    const startedMs = performance.now();
    const done = () => {
      const elapsedMs = performance.now() - startedMs;
      delays.push([elapsedMs, Math.min(elapsedMs, readLoopMs() - loopMs)]);
      setTimeout(resolve, PAUSE_MS);
    };
    get(url, { agent }, (response) => response.resume().on('end', done)).on('error', done);
  });
}

process.on('message', () => {
  process.send?.(delays);
  delays = [];
});

for (;;) await ask();
