import { formatUsd, omitUndefined, parseUsd } from '@mg/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from '../src/clients/console-client.js';
import { ADMIN } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { waitUntil } from '../src/wait-until.js';
import { ask, endpointOf } from './endpoints.js';

type Json = Record<string, unknown>;

interface List {
  readonly data: Json[];
  readonly next_cursor: string | null;
}

const TOKEN = 'id name wallet_id allowed_models spending_quota expires_at disabled';
const WALLET = 'id name balance held';
const ENTRY = 'id created_at kind amount balance_after request_id task_id note';
const LOG =
  'request_id created_at token_id token_name model endpoint channel status error_code stream latency_ms ttft_ms usage cost estimated reason lines attempts price_version';
const USAGE =
  'input_tokens cached_input_tokens cache_write_tokens output_tokens reasoning_tokens images seconds';
const ENTRY_KINDS = ['charge', 'refund', 'topup', 'adjust', 'late_charge', 'true_up', 'waste'];
const USER = 'id email role name disabled';
const CHANNEL = 'id name type base_url models settings priority weight timeout';
const MODEL = 'slug kind state price';

/** Lists of the Console, and the fields of their rows. */
const LISTS: readonly (readonly [path: string, fields: string])[] = [
  ['/tokens', TOKEN],
  ['/wallets', WALLET],
  ['/logs', LOG],
  ['/channels', CHANNEL],
  ['/models', MODEL],
  ['/users', USER],
  ['/tasks', 'id created_at model'],
];

const LOG_FILTERS = [
  'from=2020-01-01T00:00:00Z',
  'to=2099-01-01T00:00:00Z',
  'model=chat/works',
  'status=200',
  'endpoint=/v1/chat/completions',
];

/** What the log counts besides tokens: an ordinary call of the endpoint has so many. */
const METERED = [
  [6, 'images', 1],
  [7, 'images', 1],
  [8, 'seconds', 5],
  [10, 'seconds', 5],
  [12, 'seconds', 2],
] as const;

/** Types of channels that the contract names, with an address where the type has no well-known one. */
const CHANNEL_TYPES: readonly (readonly [type: string, baseUrl?: string])[] = [
  ['openai'],
  ['openai-compatible', 'https://example.com/v1'],
  ['anthropic'],
  ['gemini'],
  ['videonative'],
  ['kling'],
  ['minimax'],
  ['runway'],
  ['dashscope'],
  ['fal'],
  ['replicate'],
];

function expectFields(row: unknown, fields: string): void {
  expect(Object.keys(row as object)).toEqual(expect.arrayContaining(fields.split(' ')));
}

/** Operator contract, section 5: the Console's calls, their rows and the names of their fields. */
export function describeOperatorConsole(get: () => Deployment): void {
  let console: ConsoleClient;
  let requestId: string;
  beforeAll(async () => {
    console = await ConsoleClient.asAdmin(get());
    const answer = await ask(get(), endpointOf(2));
    requestId = answer.headers.get('x-request-id') ?? '';
    await waitUntil('the log row', () => console.findLog(requestId));
  });

  describe('contract 5, the Console', () => {
    it('5: POST /api/v1/auth/login gives access_token, refresh_token and expires_in', async () => {
      const session = await console.demand<Json>('POST', '/auth/login', ADMIN);
      expect(session).toEqual({
        access_token: expect.stringMatching(/^eyJ/),
        refresh_token: expect.any(String),
        expires_in: expect.any(Number),
      });
    });

    it('5: GET /api/v1/me gives the user', async () => {
      const me = await console.demand<Json>('GET', '/me');
      expectFields(me, USER);
      expect(me).toMatchObject({ email: ADMIN.email, role: 'administrator' });
    });

    it.each(LISTS)(
      '5: GET /api/v1%s is a list by limit and cursor, with rows of %s',
      async (path, fields) => {
        const page = await console.demand<List>('GET', `${path}?limit=1`);
        expect(Object.keys(page).sort()).toEqual(['data', 'next_cursor']);
        expect(page.data).toHaveLength(1);
        expectFields(page.data[0], fields);
        if (page.next_cursor === null) return;
        const next = await console.demand<List>('GET', `${path}?limit=1&cursor=${page.next_cursor}`);
        expect(next.data).not.toEqual(page.data);
      },
    );

    it('5: tokens are made, shown, changed, rotated and deleted; the key is shown twice at most', async () => {
      const wallet = await console.findWallet('rules');
      const fields = {
        name: 'contract-5',
        wallet_id: wallet.id,
        allowed_models: ['plain'],
        spending_quota: '1.5',
        expires_at: '2099-01-01T00:00:00Z',
        disabled: false,
      };
      const made = await console.demand<Json>('POST', '/tokens', fields);
      expectFields(made, `${TOKEN} key`);
      expect(made).toMatchObject({ ...fields, expires_at: expect.stringMatching(/^2099-01-01T00:00:00/) });
      const path = `/tokens/${String(made['id'])}`;
      expect(await console.demand('GET', path)).not.toHaveProperty('key');
      const patch = { spending_quota: null, expires_at: null, disabled: true };
      const changed = await console.demand<Json>('PATCH', path, patch);
      expect(changed).toMatchObject(patch);
      expect(changed).not.toHaveProperty('key');
      const rotated = await console.demand<Json>('POST', `${path}/rotate`);
      expect(rotated['key']).toMatch(/^sk-/);
      expect((await console.call('DELETE', path)).status).toBeLessThan(300);
      expect((await console.call('GET', path)).status).toBe(404);
    });

    it('5: wallets show balance and held, and a ledger whose rows have the fields of the contract', async () => {
      const { id } = await console.findWallet('rules');
      const wallet = await console.demand<Json>('GET', `/wallets/${id}`);
      expectFields(wallet, WALLET);
      expect([typeof wallet['balance'], typeof wallet['held']]).toEqual(['string', 'string']);
      const entries = await console.list<Json>(`/wallets/${id}/entries`);
      for (const entry of entries) {
        expectFields(entry, ENTRY);
        expect(ENTRY_KINDS).toContain(entry['kind']);
        expect(entry['amount']).toMatch(/^-?\d+(\.\d{1,9})?$/);
      }
      expect(entries.some(({ task_id: task }) => task !== null)).toBe(true);
    });

    it('5: a top-up credits once for each idempotency_key', async () => {
      const { id } = await console.findWallet('videos');
      const body = { amount: '0.000000001', note: 'contract', idempotency_key: `contract-${Date.now()}` };
      for (const _ of [1, 2]) await console.demand('POST', `/wallets/${id}/topups`, body);
      const entries = await console.list<Json>(`/wallets/${id}/entries`);
      const own = entries.filter(({ note }) => note === body.note);
      expect(own).toEqual([expect.objectContaining({ kind: 'topup', amount: body.amount })]);
    });

    it('5: a log row has every field and explains its cost line by line', async () => {
      const log = await console.demand<Json>('GET', `/logs/${requestId}`);
      expectFields(log, LOG);
      expectFields(log['usage'], USAGE);
      const [line] = log['lines'] as Json[];
      expectFields(line, 'meter quantity unit_price amount');
      const [attempt] = log['attempts'] as Json[];
      expectFields(attempt, 'channel outcome status latency_ms reason');
      expect(log).toMatchObject({
        endpoint: '/v1/chat/completions',
        status: 200,
        error_code: null,
        stream: false,
      });
    });

    it.each(METERED)('5: the log of endpoint %i counts its %s', async (number, meter, count) => {
      const { headers } = await ask(get(), endpointOf(number));
      // The ledger has the last word on a cost, and may say it a moment after the answer.
      const log = await waitUntil('the log row with the cost of the answer', async () => {
        const row = await console.findLog(headers.get('x-request-id') ?? '');
        return row && row.cost === headers.get('x-gateway-cost') && row;
      });
      expect(log.usage).toMatchObject({ [meter]: count });
      const lines = log.lines.map(({ amount }) => parseUsd(amount));
      expect(formatUsd(lines.reduce((sum, amount) => sum + amount, 0n))).toBe(log.cost);
    });

    it.each([
      ['no-such-model', 404, 'model_not_found'],
      ['chat/unreachable', 503, 'upstream_unavailable'],
    ])(
      '5: the log of a call that failed tells its status and code, and no cost: %s',
      async (model, status, code) => {
        const { headers } = await ask(get(), endpointOf(2), { model });
        const log = await waitUntil('the log row', () => console.findLog(headers.get('x-request-id') ?? ''));
        expect(log).toMatchObject({ status, error_code: code, cost: '0', model });
      },
    );

    it.each(LOG_FILTERS)('5: logs are filtered by %s', async (filter) => {
      const { data } = await console.demand<List>('GET', `/logs?${filter}&limit=5`);
      expect(data.length).toBeGreaterThan(0);
      const [name = '', value = ''] = filter.split('=');
      const isSpan = name === 'from' || name === 'to';
      expect(data.filter((row) => !isSpan && String(row[name]) !== value)).toEqual([]);
    });

    it('5: logs are filtered by token_id', async () => {
      const { id } = await console.findToken('rules');
      const { data } = await console.demand<List>('GET', `/logs?token_id=${id}&limit=5`);
      for (const row of data) expect(row['token_id']).toBe(id);
    });

    it.each(['day', 'model', 'token', 'channel'])('5: usage is summed by %s', async (group) => {
      const usage = await console.demand<List>('GET', `/usage?group_by=${group}`);
      expect(usage.data.length).toBeGreaterThan(0);
      expectFields(usage.data[0], 'key calls errors input_tokens output_tokens cost');
      expect(usage.data[0]?.['cost']).toMatch(/^\d+(\.\d{1,9})?$/);
    });

    it('5: channels keep their secrets, and their test reports ok, latency_ms, status and message', async () => {
      const { id } = await console.findChannel('conditions');
      const shown = await console.demand<Json>('GET', `/channels/${id}`);
      expectFields(shown, CHANNEL);
      expect(shown).not.toHaveProperty('api_key');
      expect(shown).not.toHaveProperty('api_keys');
      const test = await console.demand<Json>('POST', `/channels/${id}/test`, { model: 'chat/works' });
      expect(test).toEqual({
        ok: true,
        latency_ms: expect.any(Number),
        status: 200,
        message: expect.any(String),
      });
    });

    it.each(CHANNEL_TYPES)(
      '3, 5: there are channels of type %s, whose keys are never answered',
      async (type, base) => {
        const secret = `sk-channel-secret-${Date.now()}`;
        const body = {
          name: `contract-${type}`,
          type,
          api_key: secret,
          models: { 'contract-model': 'upstream-model' },
          priority: -5,
          weight: 2,
          timeout: { connect: '3s', first_byte: '50s', idle: '45s', total: '15m' },
          ...omitUndefined({ base_url: base }),
        };
        const made = await console.demand<Json>('POST', '/channels', body);
        const { api_key: _, ...shown } = body;
        expect(made).toMatchObject(shown);
        const path = `/channels/${String(made['id'])}`;
        const changed = await console.demand<Json>('PATCH', path, { priority: 7, models: ['plain'] });
        expect(changed).toMatchObject({ priority: 7, models: { plain: 'plain' } });
        expect(JSON.stringify([made, changed])).not.toContain(secret);
        expect((await console.call('DELETE', path)).status).toBeLessThan(300);
        expect((await console.call('GET', path)).status).toBe(404);
      },
    );

    it('5: models are made and changed; their slug stands in the path', async () => {
      const slug = `contract/model-${Date.now()}`;
      const body = { slug, kind: 'chat', state: 'disabled', price: { input_per_million: '0.25' } };
      expect(await console.demand<Json>('POST', '/models', body)).toMatchObject(body);
      const changed = await console.demand<Json>('PATCH', `/models/${slug}`, { state: 'active' });
      expect(changed).toMatchObject({ ...body, state: 'active' });
      const twice = await console.call<Json>('POST', '/models', body);
      expect(twice.status).toBeGreaterThanOrEqual(400);
      expect(twice.body).toMatchObject({ detail: { message: expect.any(String) } });
    });

    it('5: a price change starts a new price version', async () => {
      const before = await console.demand<Json>('GET', '/models/rerank/works');
      const price = { per_request: '0.003' };
      const after = await console.demand<Json>('PATCH', '/models/rerank/works', { price });
      expect(after['price']).toMatchObject(price);
      expect(after['price_version']).not.toBe(before['price_version']);
    });

    it('5: users are made with a wallet of their own, changed, and are members or administrators', async () => {
      const email = `contract-${Date.now()}@example.com`;
      const body = { email, password: 'a-long-password', role: 'member', name: 'Contract' };
      const made = await console.demand<Json>('POST', '/users', body);
      expectFields(made, USER);
      expect(made).not.toHaveProperty('password');
      const member = await ConsoleClient.login(get(), { email, password: body.password });
      expect((await member.demand<List>('GET', '/wallets')).data).toHaveLength(1);
      for (const path of ['/channels', '/models', '/users']) {
        expect([path, (await member.call('GET', path)).status]).toEqual([path, 403]);
      }
      const patch = { role: 'administrator', disabled: true, password: 'another-password' };
      const changed = await console.demand<Json>('PATCH', `/users/${String(made['id'])}`, patch);
      expect(changed).toMatchObject({ role: 'administrator', disabled: true });
    });
  });
}
