import { newId, NO_USAGE, parseUsd, type RequestLogRow } from '@mg/contract';
import { writeRequestLog } from '@mg/persistence/gateway';
import { type Payer, seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;
let payer: Payer;
const ids: Record<string, string> = {};

const served = { channel: 'b', outcome: 'served', status: 200, latency_ms: 9, reason: '' } as const;
const failed = { channel: 'a', outcome: 'failed', status: 500, latency_ms: 9, reason: 'x' } as const;
const skipped = { channel: 'c', outcome: 'skipped', status: null, latency_ms: 0, reason: 'x' } as const;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
  payer = await seedPayer(bed.database, { balance: parseUsd('5') });
  await log('dear', { cost: parseUsd('0.5'), latencyMs: 10, attempts: [skipped, served] });
  await log('slow', { cost: parseUsd('0.1'), latencyMs: 9_000, attempts: [failed, served] });
  await log('cheap', { cost: 0n, latencyMs: 20 });
  await log('old', { cost: parseUsd('0.7'), createdAt: new Date(Date.now() - 3 * 86_400_000) });
});

afterAll(() => bed.stop());

async function log(name: string, row: Partial<RequestLogRow>): Promise<void> {
  ids[name] = newId();
  await writeRequestLog(bed.database, [
    {
      requestId: ids[name] ?? '',
      createdAt: new Date(),
      userId: payer.userId,
      tokenId: payer.tokenId,
      tokenName: 'test',
      walletId: payer.walletId,
      model: payer.model,
      endpoint: '/v1/chat/completions',
      channel: 'b',
      status: 200,
      errorCode: undefined,
      stream: false,
      latencyMs: 1,
      ttftMs: undefined,
      usage: NO_USAGE,
      cost: 0n,
      estimated: false,
      reason: 'completed',
      attempts: [served],
      priceVersionId: undefined,
      ...row,
    },
  ]);
}

async function list(query: string) {
  const { status, body } = await console.call<{
    data: { request_id: string }[];
    next_cursor: string | null;
  }>('GET', `/api/v1/logs?${query}`, { session });
  const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id);
  return { status, next: body.next_cursor, names: body.data?.map((call) => nameOf(call.request_id)) };
}

describe('calls', () => {
  it('are sorted by what they cost, and by how long they took', async () => {
    expect(await list('sort=cost')).toEqual({
      status: 200,
      next: null,
      names: ['old', 'dear', 'slow', 'cheap'],
    });
    expect((await list('sort=latency&limit=2')).names).toEqual(['slow', 'cheap']);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    expect((await list(`sort=cost&from=${yesterday}`)).names).toEqual(['dear', 'slow', 'cheap']);
    expect((await list('sort=cost&channel=a')).names).toEqual(['slow']);
    expect((await list('sort=cost&cursor=eA')).status).toBe(400);
  });

  it('are found by what they cost at least, how long they took, and by their id', async () => {
    expect((await list('min_cost=0.1')).names?.toSorted()).toEqual(['dear', 'old', 'slow']);
    expect((await list('min_latency_ms=20')).names?.toSorted()).toEqual(['cheap', 'slow']);
    expect((await list(`request_id=${ids['cheap']}`)).names).toEqual(['cheap']);
    expect((await list('min_cost=much')).status).toBe(400);
  });

  it('are found by whether the caller or somebody else is to blame for an error', async () => {
    await log('refused', { model: 'classes', status: 404 });
    await log('broken', { model: 'classes', status: 502 });
    await log('good', { model: 'classes' });
    const found = async (query: string) => (await list(`model=classes&${query}`)).names?.toSorted();
    expect(await found('error_class=client')).toEqual(['refused']);
    expect(await found('error_class=server')).toEqual(['broken']);
    expect(await found('failed=true')).toEqual(['broken', 'refused']);
    expect(await found('error_class=server&status=404')).toEqual([]);
    expect(await found('error_class=client&failed=false')).toEqual([]);
    expect((await list('error_class=mine')).status).toBe(400);
  });

  it('are found by whether they failed over; a channel that was only left out counts for nothing', async () => {
    expect((await list('failed_over=true')).names).toEqual(['slow']);
    expect((await list('failed_over=false&channel=b')).names).not.toContain('slow');
    expect((await list('failed_over=true&channel=c')).names).toEqual([]);
  });

  it('of others are not sorted for members either', async () => {
    const member = { email: 'sorter@example.com', password: 'password of a member' };
    await console.call('POST', '/api/v1/users', { session, body: { ...member, role: 'member' } });
    const own = await console.login(member.email, member.password);
    const ask = (query: string) =>
      console.call<{ data: unknown[] }>('GET', `/api/v1/logs?${query}`, { session: own });
    expect((await ask('sort=cost')).body.data).toEqual([]);
    expect((await ask(`sort=cost&user_id=${payer.userId}`)).body.data).toEqual([]);
    expect((await ask('failed_over=true')).status).toBe(403);
  });
});
