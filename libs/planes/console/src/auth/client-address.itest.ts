import { newId } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

const ADDRESS_ATTEMPTS = 100;
const PROXY = '127.0.0.1';

let bed: TestBed;
let direct: OpenConsole;
let behindProxy: OpenConsole;
let behindAnother: OpenConsole;

beforeAll(async () => {
  bed = await makeTestBed();
  direct = await bed.open();
  behindProxy = await bed.open({ environment: { TRUSTED_PROXIES: `10.9.8.0/24, ${PROXY}` } });
  behindAnother = await bed.open({ environment: { TRUSTED_PROXIES: '10.9.8.7' } });
});

afterAll(() => bed.stop());

/** A login of nobody, said to be forwarded for an address. */
async function guess(console: OpenConsole, forwardedFor: string): Promise<number> {
  const body = { email: `${newId()}@example.com`, password: 'a guess' };
  const headers = {
    'x-forwarded-for': forwardedFor,
    forwarded: `for=${forwardedFor}`,
    'x-real-ip': forwardedFor,
  };
  return (await console.call('POST', '/api/v1/auth/login', { body, headers })).status;
}

/** The address that the audit log has of the last login. */
async function noteLogin(console: OpenConsole, forwardedFor: string): Promise<string> {
  await console.call('POST', '/api/v1/auth/login', {
    body: ADMIN,
    headers: { 'x-forwarded-for': forwardedFor },
  });
  const [row] = await bed.database.query(
    `select address from audit_log where action = 'session.start' order by id desc limit 1`,
  );
  return row.address;
}

describe('the address of a client', () => {
  it.each([
    ['nobody is trusted', () => direct],
    ['another proxy is trusted', () => behindAnother],
  ])('is that of the connection, whatever it says, where %s', async (_name, open) => {
    expect(await noteLogin(open(), '203.0.113.5')).toBe(PROXY);
  });

  it('is what a trusted proxy says: the last address that is no proxy of ours', async () => {
    expect(await noteLogin(behindProxy, '203.0.113.5')).toBe('203.0.113.5');
    expect(await noteLogin(behindProxy, '198.51.100.1, 203.0.113.6, 10.9.8.7')).toBe('203.0.113.6');
  });

  it('has its own limit of guesses behind a trusted proxy, and none by a forged header elsewhere', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn <= ADDRESS_ATTEMPTS; turn += 1) {
      statuses.push(await guess(direct, `203.0.113.${turn}`));
    }
    expect(statuses.at(-1)).toBe(429);
    expect(await guess(behindAnother, '203.0.113.7')).toBe(429);
    expect(await guess(behindProxy, '203.0.113.7')).toBe(401);
  });
});
