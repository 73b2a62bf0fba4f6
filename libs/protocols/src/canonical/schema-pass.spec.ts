import { expect, it } from 'vitest';
import { type JsonObject } from '../json.js';
import { SchemaPass } from './schema-pass.js';
import { listInnerSchemas, mapMembers } from './schema-rules.js';
import { inOneStep } from './steps.js';

it('M5: schemas are read in steps, however long one of them takes', async () => {
  const read = inOneStep(() => {
    const endMs = performance.now() + 3;
    while (performance.now() < endMs);
    return true;
  });
  const pass = new SchemaPass<boolean>(read, listInnerSchemas);
  let pauses = 0;
  const roots = [{ title: 'a' }, { title: 'b' }, { title: 'c', items: { title: 'd' } }];
  await pass.note(roots, async () => void pauses++);
  expect(pauses).toBeGreaterThanOrEqual(3);
  expect(roots.map(pass.of)).toEqual([true, true, true]);
});

it('M5: what one schema has in thousands is converted in steps', () => {
  const names = Array.from({ length: 9_000 }, (_, at) => [`name-${at}`, at]);
  const steps = mapMembers(Object.fromEntries(names), (at) => Number(at) + 1);
  let count = 0;
  let next = steps.next();
  for (; !next.done; next = steps.next()) count++;
  expect(count).toBeGreaterThanOrEqual(18);
  expect(next.value).toEqual(Object.fromEntries(names.map(([name, at]) => [name, Number(at) + 1])));
});

it('M5: each schema is read once, and what is made of those inside others is not kept', async () => {
  const reads: unknown[] = [];
  const read = inOneStep((schema: JsonObject, inner: (schema: JsonObject) => number) => {
    reads.push(schema.title);
    return listInnerSchemas(schema).reduce((sum, one) => sum + inner(one), 1);
  });
  const pass = new SchemaPass<number>(read, listInnerSchemas);
  const leaf = { title: 'leaf' };
  const branch = { title: 'branch', items: leaf };
  const roots = [
    { title: 'one', properties: { branch } },
    { title: 'other', not: { title: 'nothing' } },
  ];
  await pass.note(roots, () => Promise.resolve());
  expect(reads.toSorted()).toEqual(['branch', 'leaf', 'nothing', 'one', 'other']);
  expect(roots.map(pass.of)).toEqual([3, 2]);
  expect(reads).toHaveLength(5);
  // Thousands of them would be in the way of the garbage collector for as long as their request lives.
  expect(pass.of(branch)).toBe(2);
  expect(reads.slice(5)).toEqual(['branch', 'leaf']);
});
