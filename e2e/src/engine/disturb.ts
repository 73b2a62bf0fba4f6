import { setTimeout as sleep } from 'node:timers/promises';
import type { Incident } from '../drill/run-stack-drill.js';
import { ask } from './call-ingress.js';
import { type EngineContainer, type EngineProject, listProcesses, serviceOf } from './engine-project.js';

/** Longer than any answer of ours waits for another plane. */
const FROZEN_MS = 8_000;

/** Within which calls are answered again after a container was killed or thawed, its restart included. */
export const RECOVERED_WITHIN_MS = 30_000;

/** Good answers one after the other, after which callers are served again. */
const GOOD_ANSWERS = 5;

export const SERVICES = ['gateway', 'billing', 'video-worker', 'console', 'postgres', 'redis'] as const;
export type Service = (typeof SERVICES)[number];

/** Kills the first container's main process, as the kernel does when memory is short; the restart policy brings it back. */
export async function killOne(project: EngineProject, service: Service): Promise<Incident> {
  const [container] = await project.listRunning(service);
  const startedMs = Date.now();
  process.kill(container.State.Pid, 'SIGKILL');
  return { container: nameOf(container), startedMs, endedMs: Date.now() };
}

/** Stops every process of the first container where it stands, for some seconds. */
export async function freezeOne(project: EngineProject, service: Service): Promise<Incident> {
  const [container] = await project.listRunning(service);
  const startedMs = Date.now();
  const frozen = await listProcesses(project, container);
  signalAll(frozen, 'SIGSTOP');
  try {
    await sleep(FROZEN_MS);
  } finally {
    signalAll(frozen, 'SIGCONT');
  }
  return { container: nameOf(container), startedMs, endedMs: Date.now() };
}

/** Waits until several calls in a row are answered. Answers for how long they were not, in ms. */
export async function awaitRecovery(url: string): Promise<number> {
  const startedMs = Date.now();
  for (let good = 0; good < GOOD_ANSWERS;) {
    const { status } = await ask(url);
    good = status === 200 ? good + 1 : 0;
    if (Date.now() - startedMs > RECOVERED_WITHIN_MS) {
      throw new Error(`calls are not answered ${RECOVERED_WITHIN_MS} ms after it`);
    }
  }
  return Date.now() - startedMs;
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** As the drill of processes names them: `gateway-1`. */
function nameOf(container: EngineContainer): string {
  return `${serviceOf(container)}-${container.Name.split('-').at(-1)}`;
}
