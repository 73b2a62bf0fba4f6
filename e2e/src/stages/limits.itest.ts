import { createGate } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { askStage, knowModel } from './ask-stage.js';
import { type Caller, CHOSEN_LEASES, type StageFleet, startStageFleet } from './stage-fleet.js';

const WITHIN_MS = 30_000;
const GATEWAYS = 4;

let fleet: StageFleet;
beforeAll(async () => {
  fleet = await startStageFleet({
    leases: Array.from({ length: GATEWAYS }, () => CHOSEN_LEASES),
    canCutRedis: true,
  });
});
afterAll(() => fleet.stop());

/** A key with these limits, which every gateway knows. */
async function addCaller(behaviour: string, limits: object): Promise<Caller> {
  const caller = await fleet.addCaller(100_000, [behaviour]);
  await fleet.query('update token set limits = $2 where id = $1', [caller.tokenId, JSON.stringify(limits)]);
  await knowModel(fleet, caller);
  return caller;
}

/** So many calls at once, in turn to each gateway; answers how often each status came. */
async function askAll(caller: Caller, calls: number): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, index) => askStage(fleet, caller, index % GATEWAYS)),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('limits over four gateways', () => {
  it('let no more calls run at once than they say, also once Redis is cut off', async () => {
    const behaviour = 'limits-concurrency';
    const caller = await addCaller(behaviour, { concurrency: 8 });
    const gate = createGate();
    let [running, most] = [0, 0];
    fleet.upstream.script(behaviour, {
      wait: async () => {
        most = Math.max(most, ++running);
        await gate.wait();
        running--;
      },
    });
    let isFull = false;
    // Calls that find no room at once come again, as SDKs do, until there is none.
    const ask = async (gateway: number): Promise<number> => {
      for (;;) {
        const { status } = await askStage(fleet, caller, gateway);
        if (status !== 429 || isFull) return status;
      }
    };
    const asked = Array.from({ length: 24 }, (_, index) => ask(index % GATEWAYS));
    await waitUntil('as many run as may', () => running >= 8, WITHIN_MS);
    isFull = true;
    const refused = await askAll(caller, 40);
    expect(refused).toEqual({ 429: 40 });
    await fleet.redis?.cut();
    const later = await askAll(caller, 40);
    expect(later[200]).toBeUndefined();
    expect(most).toBe(8);
    gate.open();
    const statuses = await Promise.all(asked);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    await fleet.redis?.mend();
  });

  it('let no more calls begin in a minute than they say, also once Redis is cut off', async () => {
    const caller = await addCaller('limits-rate', { rpm: 60 });
    await waitUntil(
      'limits are given out again',
      async () => (await askStage(fleet, caller)).status === 200,
      WITHIN_MS,
    );
    // Calls that find no share at once come again, as SDKs do: far fewer than the limit, all of them get one.
    let before = 0;
    await waitUntil(
      'calls within the limit are answered',
      async () => (before += (await askAll(caller, 24 - before))[200] ?? 0) === 24,
      WITHIN_MS,
    );
    await fleet.redis?.cut();
    const during = await askAll(caller, 200);
    await fleet.redis?.mend();
    const after = await askAll(caller, 200);
    const ok = await waitUntil(
      'every call is in the log',
      async () => {
        const [row] = await fleet.query<{ calls: number; ok: number }>(
          `select count(*)::int as calls, count(*) filter (where status = 200)::int as ok
             from request_log where token_id = $1 and created_at > now() - interval '55 seconds'`,
          [caller.tokenId],
        );
        return row && row.calls > 424 && row;
      },
      WITHIN_MS,
    );
    expect(before).toBe(24);
    // The first call of all included.
    expect((during[200] ?? 0) + (after[200] ?? 0) + 25).toBeLessThanOrEqual(60);
    expect(ok.ok).toBeLessThanOrEqual(60);
    expect(
      Object.keys({ ...during, ...after }).every((status) => ['200', '429', '503'].includes(status)),
    ).toBe(true);
  });
});
