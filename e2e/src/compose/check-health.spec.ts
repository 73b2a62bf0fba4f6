import { expect, it } from 'vitest';
import { readOneCheck } from './check-health.js';

it('takes off what goes on asking for a while, and what bounds it', () => {
  const read = (line: string) => readOneCheck(line.split(' ')).join(' ');
  expect(read('bash /watch-health.sh . check.sh PORT 80')).toBe('bash check.sh PORT 80');
  expect(read('sh /watch-health.sh timeout 3 redis-cli ping')).toBe('redis-cli ping');
  expect(read('sh /watch-health.sh pg_isready -h 127.0.0.1')).toBe('pg_isready -h 127.0.0.1');
  expect(read('bash check.sh PORT 80')).toBe('bash check.sh PORT 80');
});
