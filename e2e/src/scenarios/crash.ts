import { parseUsd } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { createOpenAi, HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';

/** Long enough for a checkpoint of the running stream. */
const STREAM_MS = 3_000;

/** The contract's promise: after a kill -9 and a restart no hold of the dead process is open for longer. */
const HOLDS_RESOLVED_MS = 60_000;

/** A gateway that is killed in the middle of a stream leaves no money hanging and charges no more than was delivered. */
export function describeCrash(get: () => Deployment): void {
  describe('a kill -9 of the gateway', () => {
    it('resolves the hold of a running stream from its last checkpoint', { timeout: 120_000 }, async () => {
      const before = await readWallet(get());
      await readForAWhile(get());
      expect((await readWallet(get())).held).not.toBe('0');
      await get().crashGateway();

      const wallet = await waitUntil(
        'nothing is held any more',
        async () => {
          const row = await readWallet(get());
          return row.held === '0' && row;
        },
        HOLDS_RESOLVED_MS,
      );
      const call = get().upstream.calls.findLast((seen) => seen.model === 'endless');
      const charged = parseUsd(before.balance) - parseUsd(wallet.balance);
      expect(charged).toBeGreaterThan(0n);
      expect(charged).toBeLessThanOrEqual(call ? expectedCost(call) : 0n);
      const console = await ConsoleClient.asAdmin(get());
      const entries = await console.listEntries(wallet.id);
      expect(entries.filter((entry) => entry.kind === 'charge')).toHaveLength(1);
      expect(await postChat(get(), { model: 'plain', messages: HELLO })).toMatchObject({ status: 200 });
    });
  });
}

async function readWallet(deployment: Deployment) {
  const console = await ConsoleClient.asAdmin(deployment);
  return console.findWallet('crash');
}

async function readForAWhile(deployment: Deployment): Promise<void> {
  const stream = await createOpenAi(deployment, KEYS.crash).chat.completions.create({
    model: 'endless',
    messages: HELLO,
    stream: true,
    max_tokens: 4_000,
  });
  const untilMs = Date.now() + STREAM_MS;
  const chunks = stream[Symbol.asyncIterator]();
  while (Date.now() < untilMs) await chunks.next();
}
