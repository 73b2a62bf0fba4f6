import { formatUsd } from '@mg/contract';
import { watchSlowness } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { ConsoleClient, type TokenRow } from '../clients/console-client.js';
import { postChat, type RawAnswer } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { TOKEN_PRICE } from '../deployment/configuration.js';
import { CANARY, PROVIDER_KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';

/** The contract's promise: every change acts on the gateway within a second. */
const PROMISE_MS = 1_000;

async function expectSoon(what: string, ask: () => Promise<boolean>): Promise<void> {
  const readSlowness = watchSlowness();
  const begunMs = performance.now();
  await waitUntil(what, ask);
  expect(performance.now() - begunMs).toBeLessThan(PROMISE_MS * readSlowness());
}

/** What an operator changes in the Console acts on the gateway at once. */
export function describeConsoleChanges(get: () => Deployment): void {
  const ask = (model: string, key?: string): Promise<RawAnswer> =>
    postChat(get(), { model, messages: HELLO }, key === undefined ? {} : { authorization: `Bearer ${key}` });

  describe('a change in the Console acts within a second', () => {
    it('on tokens: create, limit, disable, enable, rotate, delete', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('main');
      const token = await console.demand<TokenRow>('POST', '/tokens', {
        name: 'changing',
        wallet_id: wallet.id,
      });
      const key = token.key ?? '';
      expect(key).toMatch(/^sk-/);
      expect(await console.demand<TokenRow>('GET', `/tokens/${token.id}`)).not.toHaveProperty('key');
      expect((await ask('plain', key)).status).toBe(200);
      const change = (body: unknown) => console.demand('PATCH', `/tokens/${token.id}`, body);

      await change({ allowed_models: ['flat'] });
      await expectSoon('the model is not allowed', async () => (await ask('plain', key)).status === 403);
      await change({ allowed_models: [], disabled: true });
      await expectSoon('the key is refused', async () => (await ask('plain', key)).status === 401);
      await change({ disabled: false });
      await expectSoon('the key works again', async () => (await ask('plain', key)).status === 200);
      await change({ spending_quota: '0' });
      await expectSoon('the quota holds', async () => (await ask('plain', key)).status === 429);
      await change({ spending_quota: null });
      await expectSoon('the quota is gone', async () => (await ask('plain', key)).status === 200);

      const rotated = await console.demand<TokenRow>('POST', `/tokens/${token.id}/rotate`);
      const newKey = rotated.key ?? '';
      expect(newKey).not.toBe(key);
      expect((await ask('plain', newKey)).status).toBe(200);
      await expectSoon('the old key is refused', async () => (await ask('plain', key)).status === 401);
      await console.demand('DELETE', `/tokens/${token.id}`);
      await expectSoon('the deleted key is refused', async () => (await ask('plain', newKey)).status === 401);
    });

    it('on channels: disable and enable', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const channel = await console.findChannel('disabled-by-test');
      expect((await ask('on-disabled-channel')).status).toBe(200);
      await console.demand('PATCH', `/channels/${channel.id}`, { enabled: false });
      await expectSoon(
        'no channel serves the model',
        async () => (await ask('on-disabled-channel')).status === 503,
      );
      await console.demand('PATCH', `/channels/${channel.id}`, { enabled: true });
      await expectSoon(
        'the channel serves again',
        async () => (await ask('on-disabled-channel')).status === 200,
      );
    });

    it('on models: price and state', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const price = { ...TOKEN_PRICE, output_per_million: '9.876543211' };
      await console.demand('PATCH', '/models/priced', { price });
      await expectSoon('the new price holds', async () => {
        const answer = await ask('priced');
        const call = get().upstream.calls.findLast((seen) => seen.model === 'priced');
        return (
          call !== undefined && answer.headers.get('x-gateway-cost') === formatUsd(expectedCost(call, price))
        );
      });
      expect((await ask('switched')).status).toBe(200);
      await console.demand('PATCH', '/models/switched', { state: 'disabled' });
      await expectSoon('the model is gone', async () => (await ask('switched')).status === 404);
      await console.demand('PATCH', '/models/switched', { state: 'active' });
      await expectSoon('the model is back', async () => (await ask('switched')).status === 200);
    });

    it('on credentials, which a gateway tries for the Console', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const { id } = await console.demand<{ id: string }>('POST', '/channels', {
        name: 'tried-by-test',
        type: 'openai-compatible',
        base_url: `${get().upstream.url}/v1`,
        api_key: `sk-${CANARY}-wrong-key-of-the-test`,
        models: ['tried-by-test'],
        enabled: false,
      });
      const test = () => console.demand<{ ok: boolean; status: number }>('POST', `/channels/${id}/test`, {});
      const refused = await test();
      expect(refused).toMatchObject({ ok: false, status: 401 });
      expect(JSON.stringify(refused)).not.toContain('wrong-key');
      await console.demand('PATCH', `/channels/${id}`, { api_key: PROVIDER_KEYS[0] });
      expect(await test()).toMatchObject({ ok: true, status: 200 });
      await console.demand('DELETE', `/channels/${id}`);
    });

    it('never shows a provider key', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const channel = await console.findChannel('fake');
      const shown = JSON.stringify(await console.demand('GET', `/channels/${channel.id}`));
      expect(shown).not.toContain('-provider-1');
    });

    it('refuses what is not there and what is wrong, naming the field', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const cases: readonly (readonly [string, string, unknown, number])[] = [
        ['GET', '/tokens/00000000-0000-7000-8000-000000000000', undefined, 404],
        ['GET', '/tokens/not-an-id', undefined, 404],
        ['GET', "/tokens/'%20or%201=1", undefined, 404],
        ['GET', '/logs/not-an-id', undefined, 404],
        ['POST', '/tokens', { name: '' }, 400],
        ['POST', '/tokens', { name: 'x', balance: '1000' }, 400],
        ['POST', '/tokens', { name: 'x', spending_quota: 5 }, 400],
        ['PATCH', '/models/plain', { price: { output_per_million: '-1' } }, 400],
        ['GET', '/logs?limit=-1', undefined, 400],
        ['GET', '/nowhere', undefined, 404],
      ];
      for (const [method, path, body, status] of cases) {
        const answer = await console.call(method, path, body);
        expect([method, path, answer.status]).toEqual([method, path, status]);
        expect(answer.body).toMatchObject({ detail: { message: expect.any(String) } });
      }
    });
  });
}
