import { newId, sha256 } from '@mg/contract';
import { findCallerToken, followChanges } from '@mg/persistence/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADMIN,
  FIRST_KEY,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from '../testing/open-test-console.js';
import type { TokenView } from './token-view.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;
let changes: { close(): Promise<void> };
const announced: string[] = [];

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
  await new Promise<void>((connected) => {
    changes = followChanges(bed.databaseUrl, {
      catalogChanged: () => undefined,
      tokenChanged: (keyHash) => announced.push(keyHash),
      connected,
      failed: (error) => expect.unreachable(error.message),
    });
  });
});

afterAll(async () => {
  await changes.close();
  await bed.stop();
});

function create(body: object) {
  return console.call<TokenView & { key: string }>('POST', '/api/v1/tokens', { session, body });
}

/** What a gateway knows of a key. */
function knownToGateway(key: string) {
  return findCallerToken(bed.database, sha256(key));
}

async function waitForAnnouncement(key: string): Promise<void> {
  await expect.poll(() => announced.includes(sha256(key))).toBe(true);
}

describe('an API key', () => {
  it('is shown once, when it is made', async () => {
    const { status, body } = await create({
      name: 'ci',
      allowed_models: ['sandbox-chat', 'sandbox-image'],
      spending_quota: '5.00',
      expires_at: '2030-01-01T02:00:00+02:00',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'ci',
      user_id: expect.any(String),
      wallet_id: expect.any(String),
      key: expect.stringMatching(/^sk-[0-9a-f]{48}$/),
      key_hint: `${body.key.slice(0, 7)}...${body.key.slice(-4)}`,
      former_key_until: null,
      allowed_models: ['sandbox-chat', 'sandbox-image'],
      allowed_ips: null,
      spending_quota: '5',
      used: '0',
      held: '0',
      expires_at: '2030-01-01T00:00:00.000Z',
      disabled: false,
      disabled_by: null,
      limits: {},
      budgets: {},
      cache: null,
      capture: null,
      default_model: null,
      store_responses: true,
      created_at: expect.any(String),
    });
    const { key, ...withoutKey } = body;
    const shown = await console.call('GET', `/api/v1/tokens/${body.id}`, { session });
    expect(shown.body).toEqual(withoutKey);
    const listed = await console.call('GET', '/api/v1/tokens', { session });
    expect(listed.text).toContain(body.id);
    expect(listed.text).not.toContain(key);
    expect(listed.text).not.toContain(sha256(key));
    const kept = await bed.database.query<object[]>('select * from token where id = $1', [body.id]);
    expect(JSON.stringify(kept)).not.toContain(key);
    expect(await knownToGateway(key)).toMatchObject({ name: 'ci', disabled: false });
  });

  it('asks for repeated answers, and every gateway is notified of it', async () => {
    const { body: made } = await create({ name: newId(), cache: '60s' });
    expect(made.cache).toBe('1m');
    expect((await knownToGateway(made.key))?.cacheMs).toBe(60_000);
    const { body } = await console.call<TokenView>('PATCH', `/api/v1/tokens/${made.id}`, {
      session,
      body: { cache: null },
    });
    expect(body.cache).toBeNull();
    await waitForAnnouncement(made.key);
    expect((await knownToGateway(made.key))?.cacheMs).toBeUndefined();
    for (const cache of ['0s', '25h', 'off']) {
      expect((await create({ name: newId(), cache })).status).toBe(400);
    }
  });

  it('may use every active model unless models are named', async () => {
    const named = await create({ name: newId(), allowed_models: ['sandbox-chat'] });
    for (const allowed_models of [[], null]) {
      const { body } = await console.call<TokenView>('PATCH', `/api/v1/tokens/${named.body.id}`, {
        session,
        body: { allowed_models },
      });
      expect(body.allowed_models).toBeNull();
    }
    expect((await knownToGateway(named.body.key))?.allowedModels).toBeUndefined();
  });

  it('may be used from some addresses alone, and every gateway is notified of it', async () => {
    const allowed_ips = ['203.0.113.7', '10.1.0.0/16', '2001:db8::/32'];
    const { body: made } = await create({ name: newId(), allowed_ips });
    expect(made.allowed_ips).toEqual(allowed_ips);
    const known = await knownToGateway(made.key);
    expect(['10.1.2.3', '10.2.0.1'].map((address) => known?.allowedIps?.has(address))).toEqual([true, false]);
    const change = (list: unknown) =>
      console.call<TokenView>('PATCH', `/api/v1/tokens/${made.id}`, { session, body: { allowed_ips: list } });
    for (const wrong of ['office', '10.0.0.0/33', '10.0.0.1-10.0.0.9', 'fe80::1%eth0', '']) {
      expect(await change(['203.0.113.7', wrong])).toMatchObject({
        status: 400,
        body: { detail: { param: 'allowed_ips[1]', message: expect.stringContaining('must be an address') } },
      });
    }
    expect(await change(Array(101).fill('203.0.113.7'))).toMatchObject({
      status: 400,
      body: { detail: { param: 'allowed_ips' } },
    });
    expect((await change([])).body.allowed_ips).toBeNull();
    await waitForAnnouncement(made.key);
    expect((await knownToGateway(made.key))?.allowedIps).toBeUndefined();
  });

  it('C13: may use models that there are, and keeps one that has gone', async () => {
    const refused = await create({ name: newId(), allowed_models: ['sandbox-chat', 'no-such-model'] });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        detail: { param: 'allowed_models', message: 'allowed_models: there is no model no-such-model.' },
      },
    });
    const { body } = await create({ name: newId(), allowed_models: ['sandbox-chat'] });
    await bed.database.query(`update token set allowed_models = '{gone}' where id = $1`, [body.id]);
    const change = (allowed_models: string[]) =>
      console.call('PATCH', `/api/v1/tokens/${body.id}`, { session, body: { allowed_models } });
    expect((await change(['gone', 'no-such-model'])).status).toBe(400);
    expect((await change(['gone', 'sandbox-image'])).status).toBe(200);
  });

  it('changes in what is named and nothing else, and every gateway is notified of it', async () => {
    const { body: made } = await create({
      name: newId(),
      spending_quota: '1',
      allowed_models: ['sandbox-chat'],
    });
    const { key, ...before } = made;
    const change = async (body: object) =>
      (await console.call<TokenView>('PATCH', `/api/v1/tokens/${made.id}`, { session, body })).body;
    expect(await change({})).toEqual(before);
    expect(await change({ disabled: true })).toEqual({
      ...before,
      disabled: true,
      disabled_by: 'administrator',
    });
    await waitForAnnouncement(key);
    expect((await knownToGateway(key))?.disabled).toBe(true);
    expect(
      await change({ disabled: false, spending_quota: null, expires_at: '2031-01-01T00:00:00Z' }),
    ).toEqual({
      ...before,
      spending_quota: null,
      expires_at: '2031-01-01T00:00:00.000Z',
    });
  });

  it.each([
    { default_model: 'sandbox-chat' },
    { store_responses: false },
    { cache: '1m' },
    { allowed_models: ['sandbox-chat'] },
    { expires_at: '2030-01-01T00:00:00Z' },
    { name: 'of another name' },
  ])('has every gateway notified of %j', async (change) => {
    const { body: made } = await create({ name: newId() });
    const changed = await console.call('PATCH', `/api/v1/tokens/${made.id}`, { session, body: change });
    expect(changed.status).toBe(200);
    await waitForAnnouncement(made.key);
  });

  it('has limits, which are replaced as a whole, and every gateway is notified of them', async () => {
    const { body: made } = await create({ name: newId(), limits: { rpm: 60, tpm: 100_000 } });
    expect(made.limits).toEqual({ rpm: 60, tpm: 100_000 });
    expect((await knownToGateway(made.key))?.limits).toEqual([
      { scope: 'token', id: made.id, limits: { rpm: 60, tpm: 100_000 }, sequence: expect.any(Number) },
    ]);
    const change = (body: object) =>
      console.call<TokenView>('PATCH', `/api/v1/tokens/${made.id}`, { session, body });
    expect((await change({ limits: { concurrency: 2 } })).body.limits).toEqual({ concurrency: 2 });
    await waitForAnnouncement(made.key);
    expect((await change({ limits: { rpm: 0 } })).status).toBe(400);
    expect((await change({ limits: {} })).body.limits).toEqual({});
    expect((await knownToGateway(made.key))?.limits).toBeUndefined();
  });

  it('gets a new key by rotation; the old one is known no more', async () => {
    const { body: made } = await create({ name: newId() });
    const rotated = await console.call<TokenView & { key: string }>(
      'POST',
      `/api/v1/tokens/${made.id}/rotate`,
      { session },
    );
    expect(rotated.status).toBe(200);
    expect(rotated.body.key).not.toBe(made.key);
    expect(rotated.body.id).toBe(made.id);
    await waitForAnnouncement(made.key);
    expect(await knownToGateway(made.key)).toBeUndefined();
    expect(await knownToGateway(rotated.body.key)).toMatchObject({ id: made.id });
  });

  it('keeps the old key for a grace period after a rotation, until that is ended', async () => {
    const { body: made } = await create({ name: newId() });
    const path = `/api/v1/tokens/${made.id}`;
    const rotate = (body: object) =>
      console.call<TokenView & { key: string }>('POST', `${path}/rotate`, { session, body });
    expect((await rotate({ grace_seconds: 604_801 })).status).toBe(400);
    const first = await rotate({ grace_seconds: 3_600 });
    const until = new Date(first.body.former_key_until ?? 0).getTime();
    expect(until).toBeGreaterThan(Date.now() + 3_500_000);
    expect(await knownToGateway(made.key)).toMatchObject({ id: made.id, expiresAt: until });
    expect((await knownToGateway(first.body.key))?.expiresAt).toBeUndefined();

    const second = await rotate({ grace_seconds: 60 });
    expect(await knownToGateway(made.key)).toBeUndefined();
    expect(await knownToGateway(first.body.key)).toMatchObject({ id: made.id });
    const stopped = await console.call<TokenView>('PATCH', path, {
      session,
      body: { former_key_until: null },
    });
    expect(stopped.body.former_key_until).toBeNull();
    await waitForAnnouncement(first.body.key);
    expect(await knownToGateway(first.body.key)).toBeUndefined();
    expect(await knownToGateway(second.body.key)).toMatchObject({ id: made.id });
  });

  it('stops when it is deleted, and frees its name', async () => {
    const name = newId();
    const { body: made } = await create({ name });
    const path = `/api/v1/tokens/${made.id}`;
    expect((await console.call('DELETE', path, { session })).status).toBe(204);
    await waitForAnnouncement(made.key);
    expect(await knownToGateway(made.key)).toBeUndefined();
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const body = method === 'PATCH' ? { disabled: false } : undefined;
      expect((await console.call(method, `${path}${suffix}`, { session, body })).status).toBe(404);
    }
    expect((await create({ name })).status).toBe(201);
  });

  it('has a name of its own within its wallet', async () => {
    const name = newId();
    await create({ name });
    const again = await console.call<{ detail: object }>('POST', '/api/v1/tokens', {
      session,
      body: { name },
    });
    expect(again.status).toBe(409);
    expect(again.body.detail).toMatchObject({ code: 'conflict', param: 'name' });
  });

  it('belongs to a wallet that exists', async () => {
    const answer = await console.call<{ detail: object }>('POST', '/api/v1/tokens', {
      session,
      body: { name: newId(), wallet_id: newId() },
    });
    expect(answer.status).toBe(404);
    expect(answer.body.detail).toMatchObject({ param: 'wallet_id' });
  });
});

describe('the keys of a user who is disabled', () => {
  it('stop at once', async () => {
    const email = `${newId()}@example.com`;
    const password = 'a member password';
    const member = await console.call<{ id: string }>('POST', '/api/v1/users', {
      session,
      body: { email, password, role: 'member' },
    });
    const token = await console.call<{ key: string }>('POST', '/api/v1/tokens', {
      session: await console.login(email, password),
      body: { name: 'own' },
    });
    expect((await knownToGateway(token.body.key))?.disabled).toBe(false);
    await console.call('PATCH', `/api/v1/users/${member.body.id}`, { session, body: { disabled: true } });
    await waitForAnnouncement(token.body.key);
    expect((await knownToGateway(token.body.key))?.disabled).toBe(true);
  });
});

describe('the list', () => {
  it('comes in pages, newest first, each row once', async () => {
    for (let count = 0; count < 5; count += 1) await create({ name: newId() });
    const all = await console.call<{ data: TokenView[]; next_cursor: null }>('GET', '/api/v1/tokens', {
      session,
    });
    expect(all.body.next_cursor).toBeNull();
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await console.call<{ data: TokenView[]; next_cursor: string | null }>(
        'GET',
        `/api/v1/tokens?limit=2${query}`,
        { session },
      );
      expect(body.data.length).toBeLessThanOrEqual(2);
      seen.push(...body.data.map((token) => token.id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(all.body.data.map((token) => token.id));
    expect(seen).toEqual([...seen].sort().toReversed());
  });
});

describe('the first key', () => {
  it('works from the start and is made once', async () => {
    expect(await knownToGateway(FIRST_KEY)).toMatchObject({ name: 'first' });
    const wallets = await console.call<{ data: { name: string; balance: string }[] }>(
      'GET',
      '/api/v1/wallets',
      {
        session,
      },
    );
    expect(wallets.body.data.find((wallet) => wallet.name === 'main')).toMatchObject({
      balance: '10',
      held: '0',
      available: '10',
    });
    const again = await bed.open();
    await again.close();
    const rows = await bed.database.query<{ count: string }[]>(
      `select count(*) from token where name = 'first'`,
    );
    expect(rows[0]?.count).toBe('1');
  });
});

describe('C7: rows beyond the first page', () => {
  it('are found by a part of their name, in any case, and by their ids', async () => {
    const { body: first } = await create({ name: 'Payroll 100%' });
    await create({ name: 'payroll 100x' });
    const ask = async (path: string) =>
      (await console.call<{ data: TokenView[] }>('GET', `/api/v1/${path}`, { session })).body.data;
    expect((await ask('tokens?search=pAYroll&limit=1')).map((token) => token.name)).toEqual(['payroll 100x']);
    expect((await ask('tokens?search=100%25')).map((token) => token.name)).toEqual(['Payroll 100%']);
    expect((await ask(`tokens?ids=${first.id},${newId()}`)).map((token) => token.id)).toEqual([first.id]);
    expect((await ask(`wallets?ids=${first.wallet_id}`)).map((wallet) => wallet.id)).toEqual([
      first.wallet_id,
    ]);
    expect(await ask(`users?search=${ADMIN.email.toUpperCase()}`)).toHaveLength(1);
    expect(await ask('users?search=no_body')).toEqual([]);
    expect((await ask(`tokens?user_id=${first.user_id}&search=100%25`)).map(({ id }) => id)).toEqual([
      first.id,
    ]);
    expect(await ask(`tokens?user_id=${newId()}`)).toEqual([]);
    const refused = await console.call('GET', '/api/v1/tokens?ids=none', { session });
    expect(refused.body).toMatchObject({ detail: { param: expect.stringContaining('ids') } });
  });

  it('count in what all wallets hold together', async () => {
    const { body } = await console.call<{ count: number; balance: string }>('GET', '/api/v1/wallets/totals', {
      session,
    });
    const { body: all } = await console.call<{ data: { balance: string }[] }>(
      'GET',
      '/api/v1/wallets?limit=200',
      { session },
    );
    expect(body.count).toBe(all.data.length);
    expect(body.balance).toBe('10');
  });
});
