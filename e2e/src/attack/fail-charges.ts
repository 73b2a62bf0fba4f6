import { expect } from 'vitest';
import { withReplicaFleet } from '../outages/replica-fleet.js';
import type { Attack, AttackSize } from './attack.js';
import { describeSeconds, readCalls } from './lost-calls.js';

const CALLS = 60;
const FAILING_MS = 10_000;

/** Every charge fails as it does when the disk is full (53100, `disk_full`). */
const REFUSE = `
  create function refuse_entry() returns trigger language plpgsql as $$
  begin raise exception 'no space left on device' using errcode = '53100'; end $$;
  create trigger refuse_entry before insert on entry for each row execute function refuse_entry()`;

export const failCharges: Attack<AttackSize> = {
  threats: ['T20'],
  title:
    'F5: calls that cannot be charged while the disk of the database is full are charged afterwards, once',
  fullSizeOnly: true,
  timeoutMs: { short: 180_000, full: 180_000 },
  run: ({ say }) =>
    withReplicaFleet(async (fleet) => {
      const gateway = await fleet.start('gateway', 'gateway-1');
      await fleet.query(REFUSE);
      const failsUntil = performance.now() + FAILING_MS;
      const answers = await Promise.all(Array.from({ length: CALLS }, () => fleet.askChat(gateway)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      await new Promise((resolve) => setTimeout(resolve, failsUntil - performance.now()));
      const during = await readCalls(fleet);
      expect(during.filter(({ entries }) => entries.length > 0)).toEqual([]);
      await fleet.query('drop function refuse_entry() cascade');

      const mendedMs = performance.now();
      await fleet.expectSettled(40_000);
      const calls = await readCalls(fleet);
      const charged = calls.filter(({ entries }) => entries.join() === 'charge').length;
      const took = describeSeconds(performance.now() - mendedMs);
      say(`charges refused for 10 s: ${charged} of ${CALLS} calls charged ${took} after it`);
      expect(charged).toBe(CALLS);
      expect(calls).toHaveLength(CALLS);
    }),
};
