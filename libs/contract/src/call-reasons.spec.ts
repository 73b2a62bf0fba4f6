import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CALL_REASONS } from './journal.js';

const PAGE = new URL('../../../docs/money.md', import.meta.url);
const HEADING = '## Which policy applies to which call?';

it('Policies: the table of policies in docs/money.md has every reason of the log, and no other', () => {
  const section = readFileSync(PAGE, 'utf8').split(HEADING)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !/^\| (event|-)/.test(line));
  const named = rows.map((row) => /^`(\w+)`/.exec(row.split('|')[2]?.trim() ?? '')?.[1]);
  expect(rows.length).toBeGreaterThan(CALL_REASONS.length);
  expect(new Set(named)).toEqual(new Set(CALL_REASONS));
});
