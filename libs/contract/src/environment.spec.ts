import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT, EnvironmentError, readEnvironment } from './environment.js';

describe('readEnvironment', () => {
  it('fills in defaults', () => {
    expect(readEnvironment({})).toMatchObject({
      GATEWAY_PORT: 8080,
      METRICS_ENABLED: false,
      DATA_DIR: '.data',
    });
  });

  it.each([
    [undefined, 1],
    ['4', 4],
    ['auto', 'auto'],
  ])('reads %s gateway workers', (text, count) => {
    expect(readEnvironment({ GATEWAY_WORKERS: text }).GATEWAY_WORKERS).toBe(count);
  });

  it('counts an empty value as unset', () => {
    expect(readEnvironment({ GATEWAY_PORT: '', METRICS_TOKEN: '' })).toMatchObject({
      GATEWAY_PORT: 8080,
      METRICS_TOKEN: undefined,
    });
  });

  it.each([
    [{ GATEWAY_PORT: 'eighty' }, 'GATEWAY_PORT must be a port number from 0 to 65535.'],
    [{ CONSOLE_PORT: '70000' }, 'CONSOLE_PORT must be a port number from 0 to 65535.'],
    [{ METRICS_ENABLED: 'maybe' }, 'METRICS_ENABLED must be true or false.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.'],
    [
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/name.',
    ],
    [{ REDIS_URL: 'localhost' }, 'REDIS_URL must be an address such as redis://host:6379.'],
    [
      { TRUSTED_PROXIES: '10.0.0.0/8, nginx' },
      'TRUSTED_PROXIES must be addresses or networks such as 10.0.0.7, 10.1.0.0/16, separated by commas.',
    ],
    [
      { CONSOLE_ORIGIN: 'https://a.example, https://b.example/console' },
      'CONSOLE_ORIGIN must be origins such as https://console.example.com, separated by commas.',
    ],
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET must be at least 32 characters long.'],
    [{ RETENTION_LOGS_DAYS: '-1' }, 'RETENTION_LOGS_DAYS must be at least 0.'],
    [{ RETENTION_REPLIES_HOURS: '0' }, 'RETENTION_REPLIES_HOURS must be at least 1.'],
    [{ DRAIN_TIMEOUT_SECONDS: '0' }, 'DRAIN_TIMEOUT_SECONDS must be at least 1.'],
    ...(['0', '-1', '2.5', '65', 'all', '1e1'].map((text) => [
      { GATEWAY_WORKERS: text },
      'GATEWAY_WORKERS must be auto or a whole number from 1 to 64.',
    ]) as [Record<string, string>, string][]),
  ])('says what is wrong with %j', (variables, sentence) => {
    expect(() => readEnvironment(variables)).toThrow(new EnvironmentError(sentence));
  });

  it('names every wrong and every missing variable, and none of their values', () => {
    const read = () => readEnvironment({ JWT_SECRET: 'hunter2', LOG_LEVEL: 'loud' }, ['DATABASE_URL']);
    expect(read).toThrow(/JWT_SECRET.*|LOG_LEVEL/);
    expect(read).toThrow(/DATABASE_URL is required/);
    expect(read).not.toThrow(/hunter2/);
  });
});

describe('docs/configuration.md', () => {
  const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');

  it.each(Object.entries(ENVIRONMENT))(
    'lists %s with its default and meaning',
    (name, { defaultText, meaning }) => {
      expect(page).toContain(`| \`${name}\` | ${defaultText} | ${meaning} |`);
      expect(page.split(`\n| \`${name}\` |`)).toHaveLength(2);
    },
  );
});
