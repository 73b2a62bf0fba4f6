import { newId } from '@mg/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { AuditRepository } from './audit-repository.js';

let test: TestDatabase;
let audit: AuditRepository;
beforeAll(async () => {
  test = await openTestDatabase(1);
  audit = new AuditRepository(test.database.manager);
});
afterAll(() => test.stop());

async function addRows(targetType: string, count: number, text: string): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  for (const id of ids) {
    const facts = {
      actorId: null,
      actorEmail: 'a@b',
      action: `${targetType}.change`,
      targetId: 't',
      address: '',
    };
    await audit.add({ ...facts, id, targetType, before: null, after: { text }, requestId: newId() });
  }
  return ids.toSorted().toReversed();
}

async function readPages(targetType: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | undefined; ;) {
    const { rows, next } = await audit.list({ targetType }, { limit, after });
    pages.push(rows.map(({ id }) => id));
    if (next === undefined) return pages;
    after = next;
  }
}

it('a page of changes has as many as were asked for, and all pages have each of them once', async () => {
  const ids = await addRows('token', 45, 'short');
  expect(await readPages('token', 20)).toEqual([ids.slice(0, 20), ids.slice(20, 40), ids.slice(40)]);
  expect(await readPages('token', 45)).toEqual([ids]);
  expect(await readPages('wallet', 45)).toEqual([[]]);
});

it('M5: a page of changes that hold much has fewer, and no change is left out', async () => {
  const ids = await addRows('channel', 60, 'x'.repeat(40_000));
  const pages = await readPages('channel', 50);
  expect(pages.flat()).toEqual(ids);
  expect(Math.max(...pages.map(({ length }) => length))).toBeLessThan(20);
});
