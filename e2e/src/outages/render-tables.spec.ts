import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderRows } from './render-tables.js';

const OPERATIONS = new URL('../../../docs/operations.md', import.meta.url);

it('docs/operations.md says what the outages test expects, cell by cell', () => {
  const text = readFileSync(OPERATIONS, 'utf8');
  expect(renderRows().filter((row) => !text.includes(row))).toEqual([]);
});
