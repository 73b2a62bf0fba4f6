import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { SECRETS } from '../deployment/credentials.js';
import type { AttackTarget } from './attack.js';

const MEBIBYTE = 1024 * 1024;
/**
 * What `/healthz` may take, and how long the gateway's event loop may run before it answers. Short, the attack runs beside
 * other tests and only tells seconds from milliseconds.
 */
const LONGEST_MS = { short: 3_000, full: 50 };
/** What is in memory afterwards, as a multiple of what was before. */
const GROWTH = 1.2;
/** How often a step is run before it counts as slow. */
const TRIES = { short: 1, full: 3 };
const IDLE_MS = 1_000;
/** V8 collects the garbage of a process that has become idle after ten to twenty seconds. */
const COLLECTED_WITHIN_MS = 40_000;
const ASKED_AGAIN_MS = 4_000;

/**
 * Runs one step of an attack and prints how long `/healthz` took meanwhile. At full size a step that was slow is run again: what
 * holds an event loop holds it each time, whereas a machine of two cores is late now and then whatever runs on it.
 */
export type RunStep = (name: string, attack: () => Promise<void>) => Promise<void>;

/** What `/healthz` took during one step, in milliseconds. */
interface StepDelays {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** The longest that the gateway's event loop ran before it answered. */
  readonly held: number;
}

/**
 * Asks `/healthz` again and again, from a process of its own, while an attack runs.
 *
 * The attack, the provider and the gateway share the machine, so that an answer may take long because the gateway does not
 * run at all: what is printed beside it, the time that its event loop ran, tells one from the other. Both are bounded, as an
 * event loop that waits without running is held too.
 *
 * @throws Error (an assertion) when answers took too long, or at full size when memory did not come back.
 */
export async function watchHealth(
  target: AttackTarget,
  attack: (runStep: RunStep) => Promise<void>,
): Promise<void> {
  const { deployment, full } = target;
  const observer = fork(fileURLToPath(new URL('./read-health.ts', import.meta.url)), [
    `${deployment.gatewayUrl}/healthz`,
    findProcessId(deployment.readOutput()),
  ]);
  let restorePriority = () => {};
  try {
    const before = await readResidentBytes(target);
    await readDelays(observer);
    restorePriority = giveWay();
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idle = await readDelays(observer);
    target.say(`idle: ${describe(idle)}`);
    const boundMs = full ? LONGEST_MS.full : LONGEST_MS.short;
    const elapsedBoundMs = boundMs + idle.longest;
    const slow: string[] = [];
    await attack(async (name, runOnce) => {
      for (let tries = full ? TRIES.full : TRIES.short; tries > 0; tries -= 1) {
        await runOnce();
        const delays = await readDelays(observer);
        const line = `${name}: ${describe(delays)}`;
        target.say(line);
        if (delays.longest < elapsedBoundMs && delays.held <= boundMs) return;
        if (tries === 1) slow.push(line);
      }
    });
    observer.kill();
    const limitBytes = full ? before * GROWTH : Infinity;
    const after = await readSettledBytes(target, limitBytes);
    target.say(`memory: ${toMegabytes(before)} MB before, ${toMegabytes(after)} MB after`);
    const bounds = `${Math.round(elapsedBoundMs)} ms, or the event loop ran for more than ${boundMs} ms`;
    expect(slow, `steps in which /healthz took ${bounds}, each time`).toEqual([]);
    expect(after).toBeLessThan(limitBytes);
  } finally {
    restorePriority();
    observer.kill();
  }
}

/**
 * Lowers the priority of this process, which attacks and plays the provider: on a machine of two cores it would otherwise keep
 * the gateway, and the process that measures, from running at all.
 *
 * @returns undoes it, where that is allowed.
 */
function giveWay(): () => void {
  const before = getPriority();
  const threads = listThreads();
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
  return () => {
    try {
      for (const thread of threads) setPriority(thread, before);
    } catch {
      // Only a privileged user may go back, and a thread may have ended; nothing depends on it.
    }
  };
}

/** On Linux each thread has a priority of its own, and a process's id is that of its first thread. */
function listThreads(): number[] {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
}

/** The plane's log names its process. */
function findProcessId(output: string): string {
  return /"pid":(\d+)/.exec(output)?.[1] ?? '';
}

async function readDelays(observer: ChildProcess): Promise<StepDelays> {
  const answered = once(observer, 'message');
  observer.send('read');
  const [delays] = (await answered) as [[elapsedMs: number, heldMs: number][]];
  const elapsed = delays.map(([elapsedMs]) => elapsedMs).toSorted((a, b) => a - b);
  const at = (share: number) => elapsed[Math.floor((elapsed.length - 1) * share)] ?? 0;
  return {
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    held: Math.max(0, ...delays.map(([, held]) => held)),
  };
}

function describe({ p50, p99, longest, held }: StepDelays): string {
  const [a, b, c, d] = [p50, p99, longest, held].map(Math.round);
  return `/healthz p50 ${a} ms, p99 ${b} ms, longest ${c} ms; the event loop ran at most ${d} ms`;
}

async function readResidentBytes({ deployment }: AttackTarget): Promise<number> {
  const { text } = await request(deployment, '/metrics', {
    headers: { authorization: `Bearer ${SECRETS.metrics}` },
  });
  return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

/** Resident memory as soon as it is below the limit, or once the garbage collector has had its time. */
async function readSettledBytes(target: AttackTarget, limitBytes: number): Promise<number> {
  const deadline = Date.now() + COLLECTED_WITHIN_MS;
  for (;;) {
    const bytes = await readResidentBytes(target);
    if (bytes < limitBytes || Date.now() > deadline) return bytes;
    await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_MS));
  }
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / MEBIBYTE);
}
