import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listRules, REDIS_RULES, type RedisUser } from './redis-rules.js';

const SCRIPT = new URL('../../../../deploy/redis/start-redis.sh', import.meta.url);
const USERS = Object.keys(REDIS_RULES) as RedisUser[];

function toVariable(user: RedisUser): string {
  return `${user.toUpperCase().replace('-', '_')}_REDIS_PASSWORD`;
}

function toLine(user: RedisUser): string {
  return `user ${user} on #$(digest "$${toVariable(user)}") ${listRules(user).join(' ')}`;
}

describe('deploy/redis/start-redis.sh', () => {
  it('gives each plane the rules of this table (UPDATE_GOLDENS=1 writes them)', () => {
    const text = readFileSync(SCRIPT, 'utf8');
    const begins = text.indexOf('user gateway on');
    const ends = text.indexOf('\nEOF', begins);
    const expected = `${text.slice(0, begins)}${USERS.map(toLine).join('\n')}${text.slice(ends)}`;
    if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(SCRIPT, expected);
    expect(begins).toBeGreaterThan(0);
    expect(readFileSync(SCRIPT, 'utf8')).toBe(expected);
  });

  it('never puts a password into a command line', () => {
    const text = readFileSync(SCRIPT, 'utf8');
    expect(text).not.toMatch(/requirepass|redis-server.*PASSWORD/);
  });
});
