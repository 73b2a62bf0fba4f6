import { newId, parsePrice } from '@mg/contract';
import { deriveSecretKey } from '@mg/persistence/console';
import { loadCatalog } from '@mg/persistence/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserView } from './auth/user-view.js';
import type { ModelWithPricesView } from './models/model-view.js';
import {
  ADMIN,
  ENCRYPTION_KEY,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from './testing/open-test-console.js';
import type { EntryView } from './ledger/entry-view.js';
import type { WalletView } from './wallets/wallet-view.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

function call<Body>(method: string, path: string, body?: unknown) {
  return console.call<Body>(method, `/api/v1${path}`, { session, body });
}

async function isKnownToGateways(slug: string): Promise<boolean> {
  const { catalog } = await loadCatalog(bed.database, deriveSecretKey(ENCRYPTION_KEY), 1);
  return catalog.models.has(slug);
}

describe('a model', () => {
  it('starts a new price version when its price changes, and keeps the old', async () => {
    const first = { input_per_million: '0.25', output_per_million: '2.00' };
    const made = await call<ModelWithPricesView>('POST', '/models', {
      slug: 'org/model:free',
      kind: 'chat',
      max_output_tokens: 100,
      price: first,
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      slug: 'org/model:free',
      state: 'active',
      priced: true,
      price: first,
      price_source: `console: ${ADMIN.email}`,
      prices: [{ price: first }],
    });
    const path = '/models/org/model:free';
    const same = await call<ModelWithPricesView>('PATCH', path, {
      price: { output_per_million: '2', input_per_million: '0.250' },
    });
    expect(same.body.price_version).toBe(made.body.price_version);
    const second = { input_per_million: '0.50', output_per_million: '2.00' };
    const changed = await call<ModelWithPricesView>('PATCH', path, { price: second });
    expect(changed.body.price).toEqual(second);
    expect(changed.body.prices.map((version) => version.price)).toEqual([second, first]);
    const encoded = await call<ModelWithPricesView>('GET', '/models/org%2Fmodel%3Afree');
    expect(encoded.body).toEqual(changed.body);
  });

  it('has limits and a price for tools and tiers, as gateways read them', async () => {
    const price = {
      input_per_million: '1',
      output_per_million: '4',
      per_web_search: '0.01',
      per_code_session: '0.03',
      long_context: { above_tokens: 200_000, input_per_million: '2' },
      tiers: { priority: { input_per_million: '0.5' } },
      batch_share: '0.5',
    };
    const body = { slug: 'tools', kind: 'chat', context_window: 400_000, price };
    const made = await call<ModelWithPricesView>('POST', '/models', body);
    expect(made.body).toMatchObject({ context_window: 400_000, price });
    const { catalog } = await loadCatalog(bed.database, deriveSecretKey(ENCRYPTION_KEY), 1);
    expect(catalog.models.get('tools')).toMatchObject({
      contextWindow: 400_000,
      prices: [{ price: parsePrice(price) }],
    });
    const changed = await call<ModelWithPricesView>('PATCH', '/models/tools', { context_window: null });
    expect(changed.body.context_window).toBeNull();
    const wrong = { price: { ...price, tiers: { priority: { per_search: '1' } } } };
    expect((await call('PATCH', '/models/tools', wrong)).body).toMatchObject({
      detail: { code: 'invalid_request', param: 'price.tiers.priority.per_search' },
    });
  });

  it('is routed as an administrator says, as gateways read it', async () => {
    await call('POST', '/models', { slug: 'other', kind: 'chat' });
    const routing = {
      fallback: ['other'],
      fallback_on: ['failure', 'context'],
      routing: 'latency',
      sticky: true,
      first_token_timeout: '20s',
    };
    const made = await call<ModelWithPricesView>('POST', '/models', {
      slug: 'routed',
      kind: 'chat',
      ...routing,
    });
    expect(made.body).toMatchObject(routing);
    const read = async () => {
      const { catalog } = await loadCatalog(bed.database, deriveSecretKey(ENCRYPTION_KEY), 1);
      return catalog.models.get('routed');
    };
    expect(await read()).toMatchObject({
      fallback: ['other'],
      fallbackOn: ['failure', 'context'],
      routing: 'latency',
      sticky: true,
      firstTokenMs: 20_000,
    });
    const usual = { fallback: [], routing: 'priority', sticky: false, first_token_timeout: null };
    expect((await call<ModelWithPricesView>('PATCH', '/models/routed', usual)).body).toMatchObject(usual);
    const { fallback, routing: strategy, sticky, firstTokenMs } = (await read()) ?? {};
    expect([fallback, strategy, sticky, firstTokenMs]).toEqual([undefined, undefined, undefined, undefined]);
    for (const [param, wrong] of [
      ['fallback', { fallback: ['nobody'] }],
      ['fallback_on[0]', { fallback_on: ['luck'] }],
      ['routing', { routing: 'random' }],
      ['first_token_timeout', { first_token_timeout: 20 }],
      ['first_token_timeout', { first_token_timeout: '0s' }],
    ] as const) {
      expect((await call('PATCH', '/models/routed', wrong)).body).toMatchObject({
        detail: { code: 'invalid_request', param },
      });
    }
  });

  it('takes a price that begins later', async () => {
    await call('POST', '/models', { slug: 'later', kind: 'chat', price: { per_request: '1' } });
    const changed = await call<ModelWithPricesView>('PATCH', '/models/later', {
      price: { per_request: '2' },
      effective_from: '2099-01-01T00:00:00Z',
    });
    expect(changed.body.price).toEqual({ per_request: '1' });
    expect(changed.body.prices).toMatchObject([
      { price: { per_request: '2' }, effective_from: '2099-01-01T00:00:00.000Z' },
      { price: { per_request: '1' } },
    ]);
    for (const body of [
      { price: { per_request: '2' }, effective_from: '2020-01-01T00:00:00Z' },
      { effective_from: '2099-01-01T00:00:00Z' },
    ]) {
      const refused = await call<{ detail: object }>('PATCH', '/models/later', body);
      expect(refused.status).toBe(400);
      expect(refused.body.detail).toMatchObject({ param: 'effective_from' });
    }
  });

  it('is refused by gateways without a price, and gone when disabled', async () => {
    const made = await call<ModelWithPricesView>('POST', '/models', { slug: 'unpriced', kind: 'chat' });
    expect(made.body).toMatchObject({ priced: false, price: null, price_version: null, prices: [] });
    const half = await call<ModelWithPricesView>('PATCH', '/models/unpriced', {
      price: { input_per_million: '1' },
    });
    expect(half.body.priced).toBe(false);
    expect(await isKnownToGateways('unpriced')).toBe(true);
    await call('PATCH', '/models/unpriced', { state: 'disabled' });
    expect(await isKnownToGateways('unpriced')).toBe(false);
  });

  it('is there once, or not at all', async () => {
    expect((await call('POST', '/models', { slug: 'later', kind: 'chat' })).status).toBe(409);
    expect((await call('PATCH', '/models/nobody', { state: 'disabled' })).status).toBe(404);
    expect((await call('GET', '/models/nobody')).status).toBe(404);
  });

  it('is listed by slug, in pages', async () => {
    const { body } = await call<{ data: { slug: string }[]; next_cursor: string }>('GET', '/models?limit=2');
    const next = await call<{ data: { slug: string }[] }>('GET', `/models?cursor=${body.next_cursor}`);
    expect(body.data).toHaveLength(2);
    const slugs = [...body.data, ...next.body.data].map((model) => model.slug);
    expect(slugs).toEqual(slugs.toSorted());
    expect(slugs).toContain('sandbox-chat');
    expect(slugs.filter((slug) => !slug.startsWith('sandbox-'))).toEqual([
      'later',
      'org/model:free',
      'other',
      'routed',
      'tools',
      'unpriced',
    ]);
  });
});

describe('a user', () => {
  it('is made with a wallet of their own', async () => {
    const made = await call<UserView>('POST', '/users', {
      email: 'Carla@Example.com',
      password: 'password of carla',
      role: 'member',
      name: 'Carla',
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      email: 'carla@example.com',
      name: 'Carla',
      role: 'member',
      disabled: false,
      limits: {},
      budgets: {},
      created_at: expect.any(String),
    });
    const { body } = await call<{ data: WalletView[] }>('GET', `/wallets?user_id=${made.body.id}`);
    expect(body.data).toMatchObject([{ name: 'carla@example.com', balance: '0', user_id: made.body.id }]);
    const again = { email: 'carla@example.com', password: 'password of carla', role: 'member' };
    expect((await call('POST', '/users', again)).status).toBe(409);
  });

  it('gets a new role and password', async () => {
    const email = `${newId()}@example.com`;
    const made = await call<UserView>('POST', '/users', { email, password: 'one password', role: 'member' });
    const member = await console.login(email, 'one password');
    await call('PATCH', `/users/${made.body.id}`, { role: 'administrator' });
    expect((await console.call('GET', '/api/v1/users', { session: member })).status).toBe(200);
    await call('PATCH', `/users/${made.body.id}`, { password: 'two passwords' });
    expect((await console.call('GET', '/api/v1/me', { session: member })).status).toBe(401);
    expect(await console.login(email, 'two passwords')).toEqual(expect.any(String));
    await call('PATCH', `/users/${made.body.id}`, { role: 'member' });
  });

  it('stays the administrator when nobody else is one', async () => {
    const me = await call<UserView>('GET', '/me');
    for (const body of [{ role: 'member' }, { disabled: true }]) {
      expect((await call('PATCH', `/users/${me.body.id}`, body)).status).toBe(409);
    }
    expect((await call('PATCH', `/users/${newId()}`, { disabled: true })).status).toBe(404);
  });

  it('is not made when the wallet of that name is somebody else’s', async () => {
    const email = `${newId()}@example.com`;
    await bed.database.query('select wallet_open($1, $2, null, 0)', [newId(), email]);
    const made = await call('POST', '/users', { email, password: 'one password', role: 'member' });
    expect(made.status).toBe(409);
    expect(await bed.store.users.findByEmail(email)).toBeNull();
  });

  it('is never shown with a password or its hash', async () => {
    const { text } = await call('GET', '/users');
    expect(text).not.toMatch(/argon2|password|token_version/);
  });
});

describe('a wallet', () => {
  it('is topped up once for each key, with an entry in the ledger', async () => {
    const { body: list } = await call<{ data: WalletView[] }>('GET', '/wallets');
    const wallet = list.data.find((row) => row.name === 'main');
    const path = `/wallets/${wallet?.id}`;
    const topUp = (amount: string, idempotency_key: string, note = 'invoice 7') =>
      call<{ entry: EntryView; balance: string }>('POST', `${path}/topups`, {
        amount,
        note,
        idempotency_key,
      });
    const first = await topUp('2.50', 'key-1');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      balance: '12.5',
      entry: { kind: 'topup', amount: '2.5', balance_after: '12.5', note: 'invoice 7' },
    });
    const repeats = await Promise.all([topUp('2.50', 'key-1'), topUp('2.50', 'key-1')]);
    for (const repeat of repeats) expect(repeat.body).toEqual(first.body);
    expect((await topUp('3', 'key-1')).status).toBe(409);
    expect((await topUp('-0.000000001', 'key-2', 'correction')).body.balance).toBe('12.499999999');
    const entries = await call<{ data: EntryView[]; next_cursor: string }>('GET', `${path}/entries?limit=2`);
    expect(entries.body.data).toMatchObject([
      { kind: 'adjust', amount: '-0.000000001', balance_after: '12.499999999', note: 'correction' },
      { kind: 'topup', amount: '2.5', balance_after: '12.5', request_id: null, task_id: null },
    ]);
    const rest = await call<{ data: EntryView[]; next_cursor: null }>(
      'GET',
      `${path}/entries?limit=2&cursor=${entries.body.next_cursor}`,
    );
    expect(rest.body).toEqual({
      data: [expect.objectContaining({ kind: 'topup', amount: '10', note: 'opening balance' })],
      next_cursor: null,
    });
    expect((await call<WalletView>('GET', path)).body).toMatchObject({
      balance: '12.499999999',
      held: '0',
      credit_limit: '0',
      available: '12.499999999',
    });
  });

  it('is opened alone, for a user or for nobody, with its limits', async () => {
    const email = `${newId()}@example.com`;
    const user = await call<UserView>('POST', '/users', { email, password: 'one password', role: 'member' });
    const name = `second of ${email}`;
    const settings = { credit_limit: '20', limits: { rpm: 5 }, budgets: { day: '3' }, alert_below: '1' };
    const made = await call<WalletView>('POST', '/wallets', { name, user_id: user.body.id, ...settings });
    expect(made).toMatchObject({
      status: 201,
      body: { name, user_id: user.body.id, balance: '0', available: '20', ...settings },
    });
    const theirs = await console.login(email, 'one password');
    const key = { session: theirs, body: { name: newId(), wallet_id: made.body.id } };
    expect((await console.call('POST', '/api/v1/tokens', key)).status).toBe(201);
    const audited = await call<{ data: object[] }>('GET', `/audit?target_id=${made.body.id}`);
    expect(audited.body.data).toMatchObject([
      { action: 'wallet.update', before: { credit_limit: '0' }, after: { credit_limit: '20' } },
      { action: 'wallet.create', after: { name, user_id: user.body.id, limits: { rpm: 5 } } },
    ]);
    const free = await call<WalletView>('POST', '/wallets', { name: newId(), user_id: null });
    expect(free.body).toMatchObject({ user_id: null, credit_limit: '0' });
    const project = { name: newId(), wallet_id: free.body.id };
    expect((await call('POST', '/projects', project)).status).toBe(201);
    for (const [wrong, status, param] of [
      [{ name }, 409, 'name'],
      [{ name: newId(), user_id: newId() }, 404, 'user_id'],
      [{ name: newId(), credit_limit: '-1' }, 400, 'credit_limit'],
      [{ name: newId(), balance: '5' }, 400, 'balance'],
      [{ user_id: user.body.id }, 400, 'name'],
    ] as const) {
      expect(await call('POST', '/wallets', wrong)).toMatchObject({ status, body: { detail: { param } } });
    }
  });

  it.each([
    [{ amount: '0', idempotency_key: 'k' }, 'amount'],
    [{ amount: '0.0000000001', idempotency_key: 'k' }, 'amount'],
    [{ amount: '1e3', idempotency_key: 'k' }, 'amount'],
    [{ amount: 5, idempotency_key: 'k' }, 'amount'],
    [{ amount: '5' }, 'idempotency_key'],
  ])('refuses %j', async (body, param) => {
    const { body: list } = await call<{ data: WalletView[] }>('GET', '/wallets');
    const answer = await call<{ detail: object }>('POST', `/wallets/${list.data[0]?.id}/topups`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatchObject({ param });
  });

  it('F13: is adjusted as far as it has money and credit; who may change that is an administrator', async () => {
    const { body: list } = await call<{ data: WalletView[] }>('GET', '/wallets');
    const wallet = list.data.find((row) => row.name === 'main');
    const path = `/wallets/${wallet?.id}`;
    const takeOut = (amount: string, key: string) =>
      call<{ detail: object }>('POST', `${path}/topups`, { amount: `-${amount}`, idempotency_key: key });
    expect(await takeOut('5000000', 'too much')).toMatchObject({
      status: 409,
      body: { detail: { code: 'insufficient_balance', param: 'amount' } },
    });
    const changed = await call<WalletView>('PATCH', path, { credit_limit: '20.5' });
    expect(changed).toMatchObject({ status: 200, body: { credit_limit: '20.5' } });
    expect(Number(changed.body.available) - Number(wallet?.available)).toBeCloseTo(20.5);
    expect((await takeOut('20', 'on credit')).status).toBe(200);
    expect(await call<{ data: object[] }>('GET', '/audit?limit=20')).toMatchObject({
      body: {
        data: expect.arrayContaining([
          expect.objectContaining({ action: 'wallet.update', after: { credit_limit: '20.5' } }),
        ]),
      },
    });
    expect((await call('PATCH', path, { credit_limit: '-1' })).status).toBe(400);
  });

  it('F13: says which field is too large when a balance would leave what a figure holds', async () => {
    const { body: list } = await call<{ data: WalletView[] }>('GET', '/wallets');
    const path = `/wallets/${list.data.find((row) => row.name === 'main')?.id}/topups`;
    const topUps = Array.from({ length: 9 }, (_, index) =>
      call<{ detail: object }>('POST', path, { amount: '999999999', idempotency_key: `large-${index}` }),
    );
    const refused = (await Promise.all(topUps)).filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => ({ status, ...body }))).toMatchObject([
      { status: 400, detail: { code: 'invalid_request', param: 'amount' } },
    ]);
  });
});
