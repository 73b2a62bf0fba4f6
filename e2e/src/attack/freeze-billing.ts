import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { withReplicaFleet } from '../outages/replica-fleet.js';
import { waitUntil } from '../wait-until.js';
import type { Attack, AttackSize } from './attack.js';

const CALLERS = 12;
/** It is billing that is tried here, not the machine. */
const BETWEEN_CALLS_MS = 100;
/** A call that was in flight may be lost with the process; from then on callers should notice nothing. */
const NOTICED_AFTER_MS = 6_000;
const FROZEN_MS = 12_000;

export const freezeBilling: Attack<AttackSize> = {
  threats: ['T12'],
  title: 'F1: one of two billings that freezes under load costs callers nothing after a moment',
  timeoutMs: { short: 180_000, full: 180_000 },
  run: ({ say }) =>
    withReplicaFleet(async (fleet) => {
      const [frozen, gateway] = await Promise.all([
        fleet.start('billing', 'billing-2'),
        fleet.start('gateway', 'gateway-1'),
      ]);
      const answers: { readonly status: number; readonly atMs: number }[] = [];
      const over = new AbortController();
      const callers = Array.from({ length: CALLERS }, async () => {
        while (!over.signal.aborted) {
          const atMs = performance.now();
          const { status } = await fleet.askChat(gateway);
          answers.push({ status, atMs });
          await sleep(BETWEEN_CALLS_MS);
        }
      });
      await waitUntil('load', () => answers.length > 100, 30_000);
      frozen.process.signal('SIGSTOP');
      const frozenMs = performance.now();
      await sleep(FROZEN_MS);
      over.abort();
      await Promise.all(callers);
      frozen.process.signal('SIGCONT');

      const during = answers.filter(({ atMs }) => atMs > frozenMs + NOTICED_AFTER_MS);
      const good = during.filter(({ status }) => status === 200).length;
      say(`one of two billings frozen: ${good} of ${during.length} calls answered`);
      expect(during.length).toBeGreaterThan(50);
      expect(good / during.length).toBeGreaterThanOrEqual(0.99);
      await fleet.expectSettled(30_000);
      const [row] = await fleet.query<{ charged: number }>(
        `select count(*)::int as charged from entry
          where kind in ('charge', 'late_charge') and wallet_id is not null`,
      );
      expect(row?.charged).toBe(answers.filter(({ status }) => status === 200).length);
    }),
};
