import { seedCalls } from '@mg/testkit';
import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYONE } from '../console/owner-scope.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { listUsage } from './usage-series.js';
import { sumUsage } from './usage-sums.js';

const DAYS = 4;
const CALLS_AN_HOUR = 100;
const CALLS = DAYS * 24 * CALLS_AN_HOUR;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

describe('F8: what a question about usage reads', () => {
  let test: TestDatabase;
  /** The first moment after the calls. */
  let end: number;
  beforeAll(async () => {
    test = await openTestDatabase(2);
    await seedCalls(test.url, {
      calls: CALLS,
      days: DAYS,
      kept: { logs: DAYS, holds: DAYS, journal: DAYS },
    });
    await test.database.query('analyze');
    end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  });
  afterAll(() => test.stop());

  /** Rows of calls, holds and the ledger that a question looks at. */
  async function countRowsRead(ask: (manager: EntityManager) => Promise<unknown>): Promise<number> {
    const plans: PlanNode[] = [];
    const explaining = {
      query: async (sql: string, values: unknown[]) => {
        const [row] = await test.database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
          `explain (analyze, format json) ${sql}`,
          values,
        );
        plans.push(...(row?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan));
        return [];
      },
    };
    await ask(explaining as unknown as EntityManager);
    expect(plans.length).toBeGreaterThan(0);
    return plans.reduce((sum, plan) => sum + countOf(plan), 0);
  }

  const at = (hoursAgo: number) => new Date(end - hoursAgo * HOUR_MS);

  it.each([
    ['hour', 47.9, 0.1],
    ['hour', 48, 0],
    ['day', 47.9, 0.1],
  ] as const)(
    'F8: a series by the %s reads sums alone, from %d hours ago to %d',
    async (bucket, from, to) => {
      const read = await countRowsRead((manager) =>
        listUsage(manager, EVERYONE, { bucket, from: at(from), to: at(to) }),
      );
      expect(read).toBe(0);
    },
  );

  it.each([
    ['begins', 47.5, 0],
    ['ends', 48, 1.5],
  ])(
    'F8: a sum that %s within an hour reads the calls of that hour, and no others',
    async (_how, from, to) => {
      const read = await countRowsRead((manager) =>
        sumUsage(manager, EVERYONE, 'model', { from: at(from), to: at(to) }),
      );
      // A call, its two entries, and the hold of one that failed.
      expect(read).toBeGreaterThanOrEqual(CALLS_AN_HOUR / 2);
      expect(read).toBeLessThanOrEqual(4 * (CALLS_AN_HOUR / 2 + 1));
    },
  );

  it('F8: a series counts the hours whole in which it begins and ends', async () => {
    const points = await listUsage(test.database.manager, EVERYONE, {
      bucket: 'hour',
      from: at(2.5),
      to: at(0.5),
    });
    expect(points.map((point) => [point.at.getTime(), point.calls])).toEqual(
      [3, 2, 1].map((hoursAgo) => [at(hoursAgo).getTime(), CALLS_AN_HOUR]),
    );
  });
});

function countOf(node: PlanNode): number {
  const own = /^(request_log|hold|entry)/.test(node['Relation Name'] ?? '')
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0;
  return own + (node.Plans ?? []).reduce((sum, plan) => sum + countOf(plan), 0);
}
