import { newId } from '@mg/contract';
import { writeRequestLog } from '@mg/persistence/gateway';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { LogView } from './log-view.js';
import { ANSWERED_CALL } from '../testing/answered-call.js';

const MEMBER = { email: 'member@example.com', password: 'a password of eight' };
const CHANNEL = 'secret-reseller';
const UPSTREAM_ERROR = 'Incorrect API key provided: sk-prov***9876';

let bed: TestBed;
let console: OpenConsole;
let admin: string;
let member: string;
const requestId = newId();

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  admin = await console.login(ADMIN.email, ADMIN.password);
  const user = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: admin,
    body: { ...MEMBER, role: 'member' },
  });
  member = await console.login(MEMBER.email, MEMBER.password);
  const token = await console.call<{ id: string; wallet_id: string }>('POST', '/api/v1/tokens', {
    session: member,
    body: { name: 'mine' },
  });
  await writeRequestLog(bed.database, [
    {
      requestId,
      createdAt: new Date(),
      userId: user.body.id,
      tokenId: token.body.id,
      tokenName: 'mine',
      walletId: token.body.wallet_id,
      model: 'some-model',
      ...ANSWERED_CALL,
      channel: CHANNEL,
      attempts: [
        { channel: CHANNEL, outcome: 'failed', status: 401, latency_ms: 3, reason: UPSTREAM_ERROR },
        {
          channel: 'other',
          outcome: 'served',
          status: 200,
          latency_ms: 3,
          reason: 'priority 7, the only one',
        },
      ],
      priceVersionId: undefined,
    },
  ]);
});

afterAll(() => bed.stop());

const ROUTES = [
  '/api/v1/logs',
  '/api/v1/logs.csv',
  `/api/v1/logs/${requestId}`,
  '/api/v1/usage?group_by=model',
  '/api/v1/usage/series',
];

const BY_CHANNEL = [
  `/api/v1/logs?channel=${CHANNEL}`,
  `/api/v1/logs.csv?channel=${CHANNEL}`,
  '/api/v1/usage?group_by=channel',
  '/api/v1/usage?group_by=user',
  '/api/v1/logs?failed_over=true',
  `/api/v1/usage/series?channel=${CHANNEL}`,
];

it('members see no channel, no priority and no error of a provider', async () => {
  for (const route of ROUTES) {
    const { status, text } = await console.call('GET', route, { session: member });
    expect(status).toBe(200);
    expect(text).not.toMatch(/secret-reseller|other|Incorrect API key|priority/);
  }
  const own = await console.call<LogView>('GET', `/api/v1/logs/${requestId}`, { session: member });
  expect(own.body).toMatchObject({ channel: null, attempts: [] });
});

it('members cannot ask by channel, which would tell them its name', async () => {
  for (const route of BY_CHANNEL) {
    const { status, body } = await console.call<unknown>('GET', route, { session: member });
    expect([route, status]).toEqual([route, 403]);
    expect(body).toMatchObject({ detail: { code: 'forbidden' } });
  }
});

it('administrators see and ask both', async () => {
  const { body } = await console.call<LogView>('GET', `/api/v1/logs/${requestId}`, { session: admin });
  expect(body.channel).toBe(CHANNEL);
  expect(body.attempts.map((attempt) => attempt.reason)).toContain(UPSTREAM_ERROR);
  for (const route of BY_CHANNEL) {
    expect((await console.call('GET', route, { session: admin })).status).toBe(200);
  }
});
