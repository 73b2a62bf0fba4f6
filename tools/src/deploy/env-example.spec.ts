import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture-tests/workspace.js';
import { listComposeVariables } from './read-compose.js';
import { writeEnvExample } from './write-env-example.js';

const FILE = join(ROOT, '.env.example');

it('.env.example names what docker-compose.yml wants: UPDATE_GOLDENS=1 npx vitest run --project unit tools/src/deploy', () => {
  const text = writeEnvExample(listComposeVariables());
  if (process.env.UPDATE_GOLDENS === '1') writeFileSync(FILE, text);
  expect(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '').toBe(text);
});

it('.env.example holds no value that somebody could keep by mistake', () => {
  const set = writeEnvExample(listComposeVariables())
    .split('\n')
    .filter((line) => /^[A-Z0-9_]+=./.test(line));
  expect(set).toEqual(['FIRST_API_KEY=sk-']);
});

describe('engines 6: the command that makes .env', () => {
  const [, command = ''] = /^# (\(umask.*)$/m.exec(writeEnvExample([])) ?? [];

  it('stands in the documentation as it stands here', () => {
    expect(command).not.toBe('');
    expect(readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8')).toContain(command);
  });

  it('fills in every secret for the owner alone, and keeps a file that is there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'env-example-'));
    try {
      cpSync(FILE, join(folder, '.env.example'));
      const run = () => spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
      expect(run().status).toBe(0);
      const made = readFileSync(join(folder, '.env'), 'utf8');
      expect(made.split('\n').filter((line) => /^[A-Z0-9_]+=(sk-)?$/.test(line))).toEqual([]);
      expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
      expect(run().status).not.toBe(0);
      expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(made);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
