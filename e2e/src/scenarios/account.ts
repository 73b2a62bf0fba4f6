import { parseUsd } from '@mg/contract';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { createOpenAi, HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

/** Sums of usage have a share for each key. */
const ASK_EVERY_MS = 250;

interface UsageAnswer {
  readonly token: { readonly used: string; readonly remaining: string | null; readonly name: string };
  readonly wallet: { readonly balance: string; readonly held: string; readonly available: string };
  readonly total_cost: string;
  readonly data: readonly { readonly model?: string; readonly calls: number; readonly cost: string }[];
}

/** What a caller may know of their own money: by API key, without the Console. */
export function describeAccount(get: () => Deployment): void {
  const ask = async (path: string, key: string = KEYS.cappedByFunds) => {
    const answer = await request(get(), path, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, body: JSON.parse(answer.text) as never, failure: answer.failure };
  };

  describe('the account', () => {
    it('shows what the key has used, to the nano-dollar, and nothing of other keys', async () => {
      const client = createOpenAi(get(), KEYS.ledger);
      const call = client.chat.completions.create({ model: 'plain', messages: HELLO });
      const { response } = await call.withResponse();
      const cost = parseUsd(response.headers.get('x-gateway-cost') ?? '');
      const usage = await waitUntil('the charge', async () => {
        await sleep(ASK_EVERY_MS);
        const { body } = await ask('/v1/usage?group_by=model', KEYS.ledger);
        const shown: UsageAnswer = body;
        const row = shown.data.find((item) => item.model === 'plain');
        const isCurrent = row !== undefined && parseUsd(row.cost) >= cost && shown.wallet.held === '0';
        return isCurrent && shown.token.used === shown.total_cost && shown;
      });
      expect(usage.wallet.available).toBe(usage.wallet.balance);
      const { body } = await ask('/v1/usage', KEYS.spentQuota);
      expect(body).toMatchObject({
        token: { name: 'spent-quota', used: '0', remaining: '0' },
        total_cost: '0',
      });
    });

    it('shows a call of the wallet, streamed or not, and none of another', async () => {
      const calls = createOpenAi(get(), KEYS.ledger).chat.completions;
      const call = calls.create({ model: 'plain', messages: HELLO, stream: true });
      const { data: stream, response } = await call.withResponse();
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk');
      const path = `/v1/usage/${response.headers.get('x-request-id') ?? ''}`;
      const shown = await waitUntil('the row of the call', async () => {
        const { status, body } = await ask(path, KEYS.ledger);
        return status === 200 && (body as { cost: string; stream: boolean; model: string });
      });
      expect(shown).toMatchObject({ object: 'usage.call', model: 'plain', stream: true, status: 200 });
      expect(parseUsd(shown.cost)).toBeGreaterThan(0n);
      expect((await ask(path, KEYS.poor)).status).toBe(404);
    });

    it('answers the billing questions that older clients ask', async () => {
      const subscription = await ask('/v1/dashboard/billing/subscription', KEYS.tenCallQuota);
      expect(subscription.body).toMatchObject({ object: 'billing_subscription', hard_limit_usd: 0.1 });
      const spent = await ask('/dashboard/billing/usage?start_date=2020-01-01&end_date=2020-02-01');
      expect(spent.body).toMatchObject({ object: 'list', total_usage: 0 });
      const credits = await ask('/v1/dashboard/billing/credit_grants', KEYS.poor);
      expect(credits.body).toMatchObject({ object: 'credit_summary', total_available: 0.00000001 });
    });

    it('names the field of a question that cannot be answered', async () => {
      for (const [path, param] of [
        ['/v1/usage?group_by=wallet', 'group_by'],
        ['/v1/usage?from=yesterday', 'from'],
        ['/v1/usage?from=2027-01-02&to=2027-01-01', 'from'],
        ['/v1/usage?from=2020-01-01&to=2024-01-01', 'from'],
      ] as const) {
        const { status, failure } = await ask(path);
        expect([path, status, failure.detail.param]).toEqual([path, 400, param]);
      }
      expect((await request(get(), '/v1/usage')).status).toBe(401);
    });

    it('lists models with their kind and price', async () => {
      const { data } = await createOpenAi(get()).models.list();
      const model = data.find((one) => one.id === 'flat');
      expect(model).toMatchObject({ kind: 'chat', price: { per_request: '0.01' } });
      expect(data.find((one) => one.id === 'unpriced')).toMatchObject({ price: null });
    });
  });
}
