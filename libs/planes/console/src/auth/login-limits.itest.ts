import { newId, omitUndefined } from '@mg/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

const PASSWORD = 'a member password';
const FREE_TRIES = 5;
const UNKNOWN_DEVICE_TRIES = 30;
const DEVICE_TRIES = 10;

let bed: TestBed;
let console: OpenConsole;
let admin: string;
let email: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  admin = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

beforeEach(async () => {
  await bed.database.query('truncate console_attempt');
  email = `${newId()}@example.com`;
  await console.call('POST', '/api/v1/users', {
    session: admin,
    body: { email, password: PASSWORD, role: 'member' },
  });
});

interface Attempt {
  readonly password?: string;
  readonly from?: string;
  readonly cookie?: string | undefined;
  readonly at?: OpenConsole;
}

function login({ password = PASSWORD, from = '203.0.113.1', cookie, at = console }: Attempt = {}) {
  return at.call('POST', '/api/v1/auth/login', {
    body: { email, password },
    headers: omitUndefined({ 'x-forwarded-for': from, cookie }),
  });
}

async function signIn(attempt: Attempt = {}): Promise<string> {
  const { status, headers } = await login(attempt);
  expect(status).toBe(200);
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

async function guess(times: number, toAddress: (turn: number) => string, cookie?: string): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, turn) => login({ password: 'a guess', from: toAddress(turn), cookie })),
  );
  return answers.map((answer) => answer.status).sort();
}

/** As if the first attempt had come just now, however slow this machine is. */
function beginNow(): Promise<unknown> {
  return bed.database.query(
    `update console_attempt set window_ends_at = now() + interval '15 minutes' where count < 50`,
  );
}

/** As if so much time had gone by. */
function wait(seconds: number): Promise<unknown> {
  return bed.database.query(
    'update console_attempt set window_ends_at = window_ends_at - make_interval(secs => $1)',
    [seconds],
  );
}

describe('M6: who guesses is slowed down', () => {
  it('address by address, twice as long each time, over all consoles', async () => {
    expect((await guess(FREE_TRIES, () => '198.51.100.1')).at(-1)).toBe(401);
    const replica = await bed.open({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    for (const wanted of [10, 30, 70, 150]) {
      await beginNow();
      const { status, headers } = await login({ from: '198.51.100.1', at: replica });
      expect(status).toBe(429);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeLessThanOrEqual(wanted);
      expect(seconds).toBeGreaterThan(wanted / 2);
      await wait(wanted);
      expect((await login({ password: 'a guess', from: '198.51.100.1' })).status).toBe(401);
    }
    await wait(310);
    expect((await login({ from: '198.51.100.1' })).status).toBe(200);
    expect((await guess(FREE_TRIES, () => '198.51.100.1')).at(-1)).toBe(401);
  });

  it('from many addresses at once, and an account that there is not alike', async () => {
    const strangers = (turn: number) => `198.51.100.${turn}`;
    const statuses = await guess(UNKNOWN_DEVICE_TRIES + 5, strangers);
    expect(statuses.filter((status) => status === 401)).toHaveLength(UNKNOWN_DEVICE_TRIES);
    email = `${newId()}@example.com`;
    expect(await guess(UNKNOWN_DEVICE_TRIES + 5, strangers)).toEqual(statuses);
  });

  it('but strangers shut nobody out who has signed in from there before', async () => {
    const cookie = await signIn({ from: '203.0.113.7' });
    await guess(UNKNOWN_DEVICE_TRIES + 5, (turn) => `198.51.100.${turn}`);
    await guess(2 * FREE_TRIES, () => '192.0.2.9');
    expect((await login({ from: '192.0.2.1' })).status).toBe(429);
    // The same device on the move, even at the address of those who guess; the same house without its cookie.
    expect((await login({ from: '192.0.2.1', cookie })).status).toBe(200);
    expect((await login({ from: '192.0.2.9', cookie })).status).toBe(200);
    expect((await login({ from: '203.0.113.7' })).status).toBe(200);
  });

  it('nor behind a proxy that nobody named, where everybody has one address', async () => {
    const unnamed = await bed.open();
    const cookie = await signIn({ at: unnamed });
    for (let turn = 0; turn < 12; turn += 1) await login({ password: 'a guess', at: unnamed });
    await beginNow();
    expect((await login({ at: unnamed })).status).toBe(429);
    expect((await login({ at: unnamed, cookie })).status).toBe(200);
  });

  it('with a device of its own too, and alone', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const statuses = await guess(DEVICE_TRIES + 2, (turn) => `198.51.100.${turn}`, one);
    expect(statuses).toEqual([...Array<number>(DEVICE_TRIES).fill(401), 429, 429]);
    expect((await login({ cookie: one })).status).toBe(429);
    expect((await login({ cookie: other })).status).toBe(200);
  });
});

describe('M6: the cookie of a device', () => {
  it('is for the login alone, out of reach of scripts, and secure where the browser speaks HTTPS', async () => {
    const plain = (await login()).headers.get('set-cookie');
    expect(plain).toMatch(
      /^mg_device_[0-9a-f]{16}=[\w.-]+; Max-Age=\d+; Path=\/api\/v1\/auth\/login; HttpOnly; SameSite=Strict$/,
    );
    const secure = await console.call('POST', '/api/v1/auth/login', {
      body: { email, password: PASSWORD },
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(secure.headers.get('set-cookie')).toMatch(/; Secure$/);
    expect((await login({ password: 'wrong' })).headers.get('set-cookie')).toBeNull();
  });

  it('speaks for its own user alone, and is no session', async () => {
    const cookie = await signIn();
    const token = cookie.split('=')[1] ?? '';
    expect((await console.call('GET', '/api/v1/me', { session: token })).status).toBe(401);
    const refreshed = await console.call('POST', '/api/v1/auth/refresh', { body: { refresh_token: token } });
    expect(refreshed.status).toBe(401);
    const own = await console.login(email, PASSWORD);
    const admins = await console.call('POST', '/api/v1/auth/login', { body: ADMIN });
    const name = cookie.split('=')[0] ?? '';
    const borrowed = `${name}=${(admins.headers.get('set-cookie') ?? '').split(/[=;]/)[1]}`;
    expect(own).toBeTruthy();
    for (const forged of [borrowed, `${name}=${own}`, `${name}=x.y.z`, `${cookie}x`]) {
      await bed.database.query('truncate console_attempt');
      await guess(FREE_TRIES, () => '198.51.100.1', forged);
      await beginNow();
      expect((await login({ from: '198.51.100.1', cookie: forged })).status).toBe(429);
    }
  });
});
