import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../../deploy/compose/watch-health.sh');
let folder: string;
const check = (...command: string[]) =>
  spawnSync('sh', [SCRIPT, ...command], { env: { ...process.env, TMPDIR: folder } }).status;
const readMark = () => readFileSync(join(folder, 'health-check-passed'), 'utf8');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mg-watch-health-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('passes at once after no check and after one that failed, so that health is known soon', () => {
  expect(check('true')).toBe(0);
  expect(readMark()).not.toBe('');
  writeFileSync(join(folder, 'health-check-passed'), '');
  expect(check('true')).toBe(0);
});

it('fails as soon as the answer is no, and the next check does not go on from one that passed', () => {
  writeFileSync(join(folder, 'health-check-passed'), 'yes');
  expect(check('false')).toBe(1);
  expect(readMark()).toBe('');
  expect(check('false')).toBe(1);
});
