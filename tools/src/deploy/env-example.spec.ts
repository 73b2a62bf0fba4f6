import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../tidy/workspace.js';
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
