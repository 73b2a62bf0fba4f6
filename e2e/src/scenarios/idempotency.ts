import { createGate } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

const BODY = { model: 'gated', messages: HELLO };

/** One Idempotency-Key, one answer, one charge. */
export function describeIdempotency(get: () => Deployment): void {
  describe('Idempotency-Key', () => {
    it('gives the same answer and one charge to the same key and body', async () => {
      const headers = { 'idempotency-key': 'e2e-repeat' };
      const first = await postChat(get(), BODY, headers);
      const calls = get().upstream.calls.length;
      const second = await postChat(get(), BODY, headers);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('x-gateway-cost')).toBe(first.headers.get('x-gateway-cost'));
      expect(get().upstream.calls).toHaveLength(calls);
    });

    it('gives a stream again, byte for byte', async () => {
      const headers = { 'idempotency-key': 'e2e-repeat-stream' };
      const first = await postChat(get(), { ...BODY, stream: true }, headers);
      const calls = get().upstream.calls.length;
      const second = await postChat(get(), { ...BODY, stream: true }, headers);
      expect(first.text).toContain('[DONE]');
      expect(second.text).toBe(first.text);
      expect(get().upstream.calls).toHaveLength(calls);
    });

    it('refuses the same key with another body', async () => {
      const headers = { 'idempotency-key': 'e2e-conflict' };
      expect((await postChat(get(), BODY, headers)).status).toBe(200);
      const other = await postChat(get(), { ...BODY, temperature: 1 }, headers);
      expect(other.status).toBe(409);
      expect(other.failure.detail.code).toBe('idempotency_conflict');
    });

    it('lets parallel calls wait for the one that runs', async () => {
      const gate = createGate();
      get().upstream.script('gated', { wait: gate.wait });
      const calls = get().upstream.calls.length;
      const answers = Array.from({ length: 8 }, () =>
        postChat(get(), BODY, { 'idempotency-key': 'e2e-parallel' }),
      );
      await get().upstream.waitForCall(() => get().upstream.calls.length > calls);
      gate.open();
      const settled = await Promise.all(answers);
      expect(new Set(settled.map((answer) => answer.status))).toEqual(new Set([200]));
      expect(new Set(settled.map((answer) => answer.text)).size).toBe(1);
      expect(get().upstream.calls).toHaveLength(calls + 1);
      await expectOneCharge(get(), settled[0]?.headers.get('x-request-id') ?? '');
    });

    it('does not remember a failure that executed nothing', async () => {
      get().upstream.script('scripted', { failure: { kind: 'reply', status: 500, body: {} } }, {});
      const body = { ...BODY, model: 'scripted' };
      const headers = { 'idempotency-key': 'e2e-failed-first' };
      expect((await postChat(get(), body, headers)).status).toBe(502);
      expect((await postChat(get(), body, headers)).status).toBe(200);
    });
  });
}

async function expectOneCharge(deployment: Deployment, requestId: string): Promise<void> {
  const console = await ConsoleClient.asAdmin(deployment);
  const wallet = await console.findWallet('main');
  const charges = await waitUntil('the charge', async () => {
    const entries = await console.listEntries(wallet.id);
    const own = entries.filter((entry) => entry.request_id === requestId);
    return own.length > 0 && own;
  });
  expect(charges).toHaveLength(1);
}
