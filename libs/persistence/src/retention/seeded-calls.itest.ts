import { seedCalls } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';

const CALLS = 3_000;
const DAYS = 60;

describe('F8: months of calls that are seeded to be measured', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(2);
    await seedCalls(test.url, { calls: CALLS, days: DAYS, kept: { logs: 40, holds: 30, journal: 7 } });
  });
  afterAll(() => test.stop());

  const count = async (what: string) => {
    const [row] = await test.database.query<{ count: number }[]>(
      `select count(*)::int as count from ${what}`,
    );
    return row?.count;
  };

  it('F8: have a ledger that balances', async () => {
    expect(await count(`entry where kind = 'charge' and wallet_id is not null`)).toBe((CALLS * 49) / 50);
    expect(await test.database.query('select * from money_drift()')).toEqual([]);
  });

  it('F8: lack what retention would have deleted, and keep holds of videos', async () => {
    expect(await count('request_log')).toBe((CALLS * 40) / DAYS);
    expect(await count('usage_journal')).toBe(((CALLS * 7) / DAYS) * 0.98);
    expect(await count('task')).toBe(CALLS / 100);
    expect(await count(`hold where kind = 'video'`)).toBe(CALLS / 100);
    expect(await count(`hold where kind = 'request'`)).toBe(((CALLS * 30) / DAYS) * 0.99);
  });

  it('F8: lie in partitions by time, with their indexes', async () => {
    expect(await count('usage_journal_before')).toBe(0);
    expect(await count('request_log_before')).toBe(0);
    expect(await count(`pg_index where indrelid = 'request_log'::regclass`)).toBe(10);
    expect(await count(`pg_index where indrelid = 'entry'::regclass`)).toBe(3);
  });

  it('F8: are summed by the hour and by the day as the log is', async () => {
    const sums = await test.database.query(
      `select grain, sum(calls)::int as calls, sum(errors)::int as errors, sum(cost)::text as cost from usage_cell group by 1 order by 1`,
    );
    const [log] = await test.database.query<{ spent: string }[]>(
      `select sum(amount)::text as spent from entry where account = 'system:revenue'`,
    );
    const all = { calls: CALLS, errors: CALLS / 50, cost: log?.spent };
    expect(sums).toEqual([
      { grain: 'day', ...all },
      { grain: 'hour', ...all },
    ]);
  });
});
