import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack, AttackTarget } from './attack.js';

const LOOPS = 8;
const CALLS = 300;
const MOST_SLOWDOWN = 1.5;

export const crowdOut: Attack = {
  threats: ['T33'],
  title: 'M8: one key that asks for its usage without a pause does not slow down the calls of another tenant',
  fullSizeOnly: true,
  timeoutMs: { short: 120_000, full: 120_000 },
  async run(target) {
    await measureChats(target);
    const before = await measureChats(target);
    const worker = new Worker(new URL('./loop-usage.ts', import.meta.url), {
      workerData: { url: `${target.deployment.gatewayUrl}/v1/usage`, key: KEYS.main, loops: LOOPS },
    });
    try {
      await once(worker, 'online');
      const during = await measureChats(target);
      const answered = once(worker, 'message');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage('read');
      const [counts] = (await answered) as [Record<string, number>];
      target.say(
        `p50 of a tenant's chats: ${before.toFixed(1)} ms alone, ${during.toFixed(1)} ms beside ${LOOPS} loops on /v1/usage by another (answers by status: ${JSON.stringify(counts)})`,
      );
      expect(counts[429]).toBeGreaterThan(0);
      expect(during / before).toBeLessThan(MOST_SLOWDOWN);
    } finally {
      await worker.terminate();
    }
  },
};

/** Median time of a chat in milliseconds, one after another. */
async function measureChats({ deployment }: AttackTarget): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const startedMs = performance.now();
    const authorization = `Bearer ${KEYS.rules}`;
    const { status } = await postChat(deployment, { model: 'plain', messages: HELLO }, { authorization });
    times.push(performance.now() - startedMs);
    expect(status).toBe(200);
  }
  return times.toSorted((a, b) => a - b)[CALLS / 2] ?? Number.NaN;
}
