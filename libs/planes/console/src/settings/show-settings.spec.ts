import { ENVIRONMENT, readEnvironment } from '@mg/contract';
import { expect, it } from 'vitest';
import { showSettings } from './show-settings.js';

const SECRET = 'a secret that nobody may see, 42';

it('reports every variable, and of a secret only that it is set', () => {
  const settings = showSettings(
    readEnvironment({
      JWT_SECRET: SECRET,
      ENCRYPTION_KEY: SECRET,
      METRICS_TOKEN: SECRET,
      S3_ACCESS_KEY_ID: SECRET,
      S3_SECRET_ACCESS_KEY: SECRET,
      DATABASE_URL: `postgres://user:${SECRET}@host/name`,
      REDIS_URL: `redis://:${SECRET}@host`,
      LOG_LEVEL: 'warn',
    }),
  );
  expect(settings.map((setting) => setting.name)).toEqual(Object.keys(ENVIRONMENT));
  expect(JSON.stringify(settings)).not.toContain(SECRET);
  expect(settings.filter(({ hidden }) => !hidden).map(({ name }) => name)).not.toContain('JWT_SECRET');
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({
    JWT_SECRET: 'set',
    DATABASE_URL: 'set',
    LOG_LEVEL: 'warn',
    GATEWAY_PORT: '8080',
    S3_BUCKET: null,
  });
});
