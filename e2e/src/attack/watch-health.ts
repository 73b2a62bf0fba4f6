import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { SECRETS } from '../deployment/credentials.js';
import type { AttackTarget } from './attack.js';

const MEBIBYTE = 1024 * 1024;
/** What `/healthz` may take at most. Short, the attack runs beside other tests and only tells seconds from milliseconds. */
const LONGEST_MS = { short: 3_000, full: 50 };
/** Memory comes back within this share of what was held at once; the garbage collector needs a moment. */
const GROWTH = 1.2;
const IDLE_MS = 1_000;
const COLLECTED_WITHIN_MS = 2_000;

/** Ends one step of an attack: prints how long `/healthz` took while it ran. */
export type NoteStep = (step: string) => Promise<void>;

/**
 * Asks `/healthz` again and again, from a thread of its own, while an attack runs.
 *
 * @throws Error (an assertion) when one answer took too long, or at full size when memory did not come back.
 */
export async function watchHealth(
  target: AttackTarget,
  attack: (note: NoteStep) => Promise<void>,
): Promise<void> {
  const { deployment, full } = target;
  const worker = new Worker(new URL('./ask-health.ts', import.meta.url), {
    workerData: { url: `${deployment.gatewayUrl}/healthz` },
  });
  try {
    const before = await readResidentBytes(target);
    await readDelays(worker);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idle = await readDelays(worker);
    target.say(`idle: ${describe(idle)}`);
    const boundMs = (full ? LONGEST_MS.full : LONGEST_MS.short) + Math.max(...idle);
    const slow: string[] = [];
    await attack(async (step) => {
      const delays = await readDelays(worker);
      target.say(`${step}: ${describe(delays)}`);
      if (Math.max(...delays) >= boundMs) slow.push(`${step}: ${describe(delays)}`);
    });
    if (full) await new Promise((resolve) => setTimeout(resolve, COLLECTED_WITHIN_MS));
    const after = await readResidentBytes(target);
    target.say(`memory: ${toMegabytes(before)} MB before, ${toMegabytes(after)} MB after`);
    expect(slow, `steps in which /healthz took ${Math.round(boundMs)} ms or more`).toEqual([]);
    if (full) expect(after).toBeLessThan(Math.max(before * GROWTH, before + 100 * MEBIBYTE));
  } finally {
    await worker.terminate();
  }
}

async function readDelays(worker: Worker): Promise<number[]> {
  const answered = once(worker, 'message');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage('read');
  return ((await answered) as [number[]])[0];
}

function describe(delays: readonly number[]): string {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return `/healthz p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

async function readResidentBytes({ deployment }: AttackTarget): Promise<number> {
  const { text } = await request(deployment, '/metrics', {
    headers: { authorization: `Bearer ${SECRETS.metrics}` },
  });
  return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / MEBIBYTE);
}
