import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ADMIN,
  ENCRYPTION_KEY,
  JWT_SECRET,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from '../testing/open-test-console.js';

let bed: TestBed;
let console: OpenConsole;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open({ environment: { GATEWAY_PORT: '8080', JWT_SECRET, ENCRYPTION_KEY } });
});

afterAll(() => bed.stop());

it('tells a page where the gateway is, and whether anybody was here before', async () => {
  const first = await console.call('GET', '/api/v1/settings/public');
  expect(first.body).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    gateway_url: 'http://127.0.0.1:8080',
    first_run: true,
    sso: false,
  });
  const session = await console.login(ADMIN.email, ADMIN.password);
  expect((await console.call('GET', '/api/v1/settings/public')).body).toMatchObject({ first_run: true });
  await console.call('POST', '/api/v1/tokens', { session, body: { name: 'mine' } });
  const later = await console.call('GET', '/api/v1/settings/public');
  expect(later.body).toMatchObject({ first_run: false });
});

it('names the public address where one is set', async () => {
  const named = await bed.open({ environment: { PUBLIC_URL: 'https://gateway.example.com' } });
  const { body } = await named.call('GET', '/api/v1/settings/public');
  expect(body).toMatchObject({ gateway_url: 'https://gateway.example.com' });
});

it('shows administrators the settings in force, without a secret', async () => {
  const session = await console.login(ADMIN.email, ADMIN.password);
  const { status, body, text } = await console.call<{ settings: { name: string; value: string | null }[] }>(
    'GET',
    '/api/v1/settings',
    { session },
  );
  expect(status).toBe(200);
  const values = Object.fromEntries(body.settings.map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({ GATEWAY_PORT: '8080', JWT_SECRET: 'set', ENCRYPTION_KEY: 'set' });
  expect(text).not.toContain(JWT_SECRET);
  expect(text).not.toContain(ENCRYPTION_KEY);
});
