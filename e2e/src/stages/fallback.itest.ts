import { newId } from '@mg/contract';
import { createGate } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { type Caller, type LeaseMode, type StageFleet, startStageFleet } from './stage-fleet.js';

const WITHIN_MS = 30_000;
const NANO = 100_000_000n;

interface ModelList {
  readonly data: readonly { readonly id: string; readonly price: { readonly per_request?: string } | null }[];
}

const MODES: readonly LeaseMode[] = ['off', 'on'];

let fleet: StageFleet;
beforeAll(async () => {
  fleet = await startStageFleet({ leases: MODES });
});
afterAll(() => fleet.stop());

describe.each(MODES)('a fallback model, with leases %s', (leases) => {
  const gatewayUrl = () => fleet.gatewayUrls[MODES.indexOf(leases)];

  /** A caller whose model fails, and another model that costs twice as much. */
  async function addPair(calls: number, behaviour: string): Promise<{ caller: Caller; other: string }> {
    const caller = await fleet.addCaller(calls, ['error-500']);
    const { model: other } = await fleet.addCaller(1, [behaviour]);
    await fleet.query(
      `insert into price_version (id, model_slug, price, source, effective_from)
         values ($1, $2, '{"per_request": "0.2"}', 'test', now())`,
      [newId(), other],
    );
    await waitUntil(
      'the gateway knows the models and the price',
      async () => {
        const listed = await fetch(`${gatewayUrl()}/v1/models`, {
          headers: { authorization: `Bearer ${caller.key}` },
        });
        const { data } = (await listed.json()) as ModelList;
        // The price of this model: those of earlier tests stand in the list, too.
        const price = data.find(({ id }) => id === other)?.price?.per_request;
        return price === '0.2' && data.some(({ id }) => id === caller.model);
      },
      WITHIN_MS,
    );
    return { caller, other };
  }

  function ask({ key, model }: Caller, other: string): Promise<Response> {
    return fetch(`${gatewayUrl()}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-gateway-fallback': other,
      },
      body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] }),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
  }

  it('is held for at the highest price, and charged by its own', async () => {
    const gate = createGate();
    const { caller, other } = await addPair(5, `dearer-${leases}`);
    fleet.upstream.script(`dearer-${leases}`, { wait: () => gate.wait() });
    const asking = ask(caller, other);
    await fleet.upstream.waitForCall((call) => call.model === `dearer-${leases}`, WITHIN_MS);
    const [held] = await fleet.query<{ held: string }>('select held from wallet where id = $1', [
      caller.walletId,
    ]);
    expect(BigInt(held?.held ?? 0)).toBeGreaterThanOrEqual(2n * NANO);
    gate.open();
    const answer = await asking;
    expect([answer.status, answer.headers.get('x-gateway-model')]).toEqual([200, other]);
    expect(answer.headers.get('x-gateway-cost')).toBe('0.2');

    const charges = await waitUntil(
      'the charge',
      async () => {
        const rows = await fleet.query<{ amount: string; model_slug: string }>(
          `select e.amount, h.model_slug from entry e join hold h on h.id::text = e.request_id
             where e.wallet_id = $1 and e.kind = 'charge'`,
          [caller.walletId],
        );
        return rows.length > 0 && rows;
      },
      WITHIN_MS,
    );
    expect(charges).toEqual([{ amount: String(-2n * NANO), model_slug: other }]);
    expect(await fleet.query('select * from money_drift()')).toEqual([]);
  });

  it('is charged for each of many calls, to the nano-dollar', async () => {
    const calls = 20;
    const { caller, other } = await addPair(10 * calls, `often-${leases}`);
    for (let call = 0; call < calls; call++) expect((await ask(caller, other)).status).toBe(200);
    await waitUntil(
      'every charge',
      async () => {
        const [row] = await fleet.query<{ balance: string }>('select balance from wallet where id = $1', [
          caller.walletId,
        ]);
        return row?.balance === String(BigInt(10 * calls - 2 * calls) * NANO);
      },
      WITHIN_MS,
    );
    expect(await fleet.query('select * from money_drift()')).toEqual([]);
  });
});
