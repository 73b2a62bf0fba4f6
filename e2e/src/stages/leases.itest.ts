import { createGate } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { type Caller, type LeaseMode, type StageFleet, startStageFleet } from './stage-fleet.js';

const WITHIN_MS = 30_000;
const CALLERS = 8;
/** Two gateways with leases, and two without. */
const MODES: readonly LeaseMode[] = ['on', 'on', 'off', 'off'];
/** The places of those that calls go to in turn. */
const PAIRS = { on: [0, 1], off: [2, 3] } as const;

let fleet: StageFleet;
beforeAll(async () => {
  fleet = await startStageFleet({ leases: MODES });
});
afterAll(() => fleet.stop());

async function ask({ key, model }: Caller, gateway = 0): Promise<number> {
  const answer = await fetch(`${fleet.gatewayUrls[gateway]}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] }),
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** A key that all gateways know with its model. */
async function addCaller(calls: number, behaviour: string, quota?: number): Promise<Caller> {
  const caller = await fleet.addCaller(calls, [behaviour], quota);
  for (const url of fleet.gatewayUrls) {
    await waitUntil(
      'the gateway knows the model',
      async () => {
        const listed = await fetch(`${url}/v1/models`, {
          headers: { authorization: `Bearer ${caller.key}` },
        });
        return (await listed.text()).includes(caller.model);
      },
      WITHIN_MS,
    );
  }
  return caller;
}

/** So many calls by a few callers who never rest, in turn to both gateways of a pair; answers their statuses. */
async function load(caller: Caller, calls: number, mode: LeaseMode = 'on'): Promise<number[]> {
  const statuses: number[] = [];
  let begun = 0;
  const callOnAndOn = async () => {
    while (begun < calls) statuses.push(await ask(caller, PAIRS[mode][begun++ % 2]));
  };
  await Promise.all(Array.from({ length: CALLERS }, callOnAndOn));
  return statuses;
}

const countOk = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;

/** What is written of a wallet once nothing of it is held any more, in calls. */
async function readBooks({ walletId }: Caller) {
  const [books] = await waitUntil(
    'nothing is held',
    async () => {
      const rows = await fleet.query<{ held: string; left: number; charges: number }>(
        `select w.held, (w.balance / 100000000)::int as left,
                (select count(*) from entry e where e.wallet_id = w.id and e.kind = 'charge')::int as charges
           from wallet w where w.id = $1`,
        [walletId],
      );
      return rows[0]?.held === '0' && rows;
    },
    WITHIN_MS,
  );
  expect(await fleet.query('select * from money_drift()')).toEqual([]);
  return { left: books?.left, charges: books?.charges };
}

describe('leases, on Postgres, Redis and billing', () => {
  it('let an ample wallet call without asking billing, and charge each call exactly once', async () => {
    const caller = await addCaller(10_000, 'lease-ample');
    expect(countOk(await load(caller, 160))).toBe(160);
    expect(countOk(await load(caller, 400))).toBe(400);
    expect(await readBooks(caller)).toEqual({ left: 9_440, charges: 560 });
    const [row] = await waitUntil(
      'the log',
      async () => {
        const rows = await fleet.query<{ calls: number; asked: number; leases: number }>(
          `select count(*)::int as calls, count(*) filter (where lease_id is null)::int as asked,
                  (select count(*) from lease where wallet_id = $1)::int as leases
             from (select * from request_log where wallet_id = $1 order by request_id offset 160) l`,
          [caller.walletId],
        );
        return rows[0]?.calls === 400 && rows;
      },
      WITHIN_MS,
    );
    // None, on a machine that lets this process run at least every two seconds.
    expect(row?.asked).toBeLessThan(40);
    expect(row?.leases).toBeLessThan(60);
  });

  it.each([
    { what: 'a wallet', mode: 'on', calls: 70, quota: undefined, status: 402 },
    { what: 'a quota', mode: 'on', calls: 10_000, quota: 70, status: 429 },
    { what: 'a wallet', mode: 'off', calls: 70, quota: undefined, status: 402 },
    { what: 'a quota', mode: 'off', calls: 10_000, quota: 70, status: 429 },
  ] as const)(
    '$mode, let $what for seventy calls pass exactly seventy, in two gateways',
    async ({ what, mode, calls, quota, status }) => {
      const behaviour = `lease-${mode}-last-${what.replace(' ', '-')}`;
      // Not set later: a quota that is changed recalls leases.
      const caller = await addCaller(calls, behaviour, quota);
      // With leases, both gateways have some when the rest is fought for.
      const before = countOk(await load(caller, 30, mode));
      expect(before).toBe(30);
      const gate = createGate();
      fleet.upstream.script(behaviour, { wait: () => gate.wait() });
      const statuses: number[] = [];
      const asked = Array.from({ length: 120 }, async (_, index) => {
        statuses.push(await ask(caller, PAIRS[mode][index % 2]));
      });
      await waitUntil('eighty refusals', () => statuses.length >= 80, WITHIN_MS);
      gate.open();
      await Promise.all(asked);
      expect(countOk(statuses)).toBe(40);
      expect(statuses.filter((one) => one === status)).toHaveLength(80);
      expect(await readBooks(caller)).toEqual({ left: calls - 70, charges: 70 });
      const leases = await fleet.query('select id from lease where wallet_id = $1', [caller.walletId]);
      expect(leases.length > 0).toBe(mode === 'on');
    },
  );

  it('are given back when gateways stop: nothing stays held', async () => {
    const caller = await addCaller(10_000, 'lease-drained');
    const ok = countOk(await load(caller, 100));
    await fleet.stopGateways();
    const held = await fleet.query(
      `select l.state from lease l where l.wallet_id = $1 and l.state in ('open', 'shrunk')`,
      [caller.walletId],
    );
    expect(held).toEqual([]);
    expect(await readBooks(caller)).toEqual({ left: 10_000 - ok, charges: ok });
  });
});
