import { describe, expect, it } from 'vitest';
import { redisOptions } from './redis-options.js';

describe('redisOptions', () => {
  it.each([
    ['redis://cache', { host: 'cache', port: 6379 }],
    ['redis://127.0.0.1:6380/3', { host: '127.0.0.1', port: 6380, db: 3 }],
    ['redis://[::1]:6380/', { host: '::1', port: 6380 }],
    [
      'rediss://me:p%40ss%2Fword@cache.example.com',
      { host: 'cache.example.com', port: 6379, username: 'me', password: 'p@ss/word', tls: {} },
    ],
    ['redis://:secret@cache', { host: 'cache', port: 6379, password: 'secret' }],
  ])('reads %s', (url, expected) => {
    expect(redisOptions(url)).toEqual(expected);
  });

  it.each(['cache:6379', 'http://cache', 'redis://', 'redis://cache/name', ''])(
    'refuses "%s" in a sentence',
    (url) => {
      expect(() => redisOptions(url)).toThrow(/^REDIS_URL .*\.$/);
    },
  );

  it('never repeats a password', () => {
    expect(() => redisOptions('http://user:hunter2@cache')).toThrow(/^(?!.*hunter2)/);
  });
});
