import { createGate } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { askUntilDecided, postChat, type RawAnswer } from '../clients/gateway-client.js';
import { createOpenAi, HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

const PARALLEL = 50;
const COVERED = 10;

/** Parallel calls on the last dollar: exactly those that it covers pass, for wallets and for token quotas alike. */
export function describeLastDollar(get: () => Deployment): void {
  describe('the last dollar', () => {
    it.each([
      { what: 'a wallet', key: KEYS.tenCalls, status: 402, code: 'insufficient_balance' },
      { what: 'a token quota', key: KEYS.tenCallQuota, status: 429, code: 'quota_exceeded' },
    ])('$what for ten lets exactly ten of fifty parallel calls pass', async ({ key, status, code }) => {
      const { upstream } = get();
      const callsBefore = upstream.calls.length;
      const gate = createGate();
      upstream.script('flat', { wait: gate.wait });
      const answers = Array.from({ length: PARALLEL }, () =>
        askUntilDecided(() =>
          postChat(get(), { model: 'flat', messages: HELLO }, { authorization: `Bearer ${key}` }),
        ),
      );
      await waitForSettled(answers, PARALLEL - COVERED);
      gate.open();
      const settled = await Promise.all(answers);
      expect(settled.filter((answer) => answer.status === 200)).toHaveLength(COVERED);
      const refused = settled.filter((answer) => answer.status === status);
      expect(refused).toHaveLength(PARALLEL - COVERED);
      expect(new Set(refused.map((answer) => answer.failure.detail.code))).toEqual(new Set([code]));
      expect(upstream.calls.length - callsBefore).toBe(COVERED);
    });

    it('leaves nothing of the wallet, nothing held, and ten charges', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await waitUntil('ten posted charges', async () => {
        const row = await console.findWallet('ten-calls');
        return row.held === '0' && row;
      });
      expect(wallet.balance).toBe('0');
      const entries = await console.listEntries(wallet.id);
      expect(entries.filter((entry) => entry.kind === 'charge')).toHaveLength(COVERED);
    });

    it('caps the length of an answer by what the wallet covers and passes the cap upstream', async () => {
      const { data } = await createOpenAi(get(), KEYS.cappedByFunds)
        .chat.completions.create({ model: 'huge-answer', messages: HELLO })
        .withResponse();
      expect(data.choices[0]?.finish_reason).toBe('length');
      const call = get().upstream.calls.findLast((seen) => seen.model === 'huge-answer');
      expect(call?.body?.['max_tokens']).toBeGreaterThan(50);
      expect(call?.body?.['max_tokens']).toBeLessThan(500);
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('capped');
      expect(wallet.balance.startsWith('-')).toBe(false);
    });
  });
}

/** Waits until so many calls are answered while the others wait at the gate. */
async function waitForSettled(answers: readonly Promise<RawAnswer>[], wanted: number): Promise<void> {
  const settled = new Set<Promise<RawAnswer>>();
  for (const answer of answers) void answer.finally(() => settled.add(answer));
  await waitUntil(`${wanted} refusals`, () => settled.size >= wanted, 60_000);
}
