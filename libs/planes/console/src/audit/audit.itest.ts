import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;

interface AuditView {
  readonly action: string;
  readonly target_id: string;
  readonly actor_email: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly request_id: string;
  readonly address: string;
}

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

async function listAudit(query = ''): Promise<AuditView[]> {
  const { body } = await console.call<{ data: AuditView[] }>('GET', `/api/v1/audit${query}`, { session });
  return body.data;
}

function call<Body = { id: string; key: string }>(method: string, path: string, body?: object) {
  return console.call<Body>(method, path, { session, body });
}

describe('the audit log', () => {
  it('tells who changed what, from where, by which request, and only what differs', async () => {
    const token = await call('POST', '/api/v1/tokens', { name: newId() });
    const { id } = token.body;
    const changed = await call('PATCH', `/api/v1/tokens/${id}`, { spending_quota: '5' });
    await call('POST', `/api/v1/tokens/${id}/rotate`);
    await call('DELETE', `/api/v1/tokens/${id}`);
    const rows = await listAudit(`?target_id=${id}`);
    expect(rows.map((row) => row.action)).toEqual([
      'token.delete',
      'token.rotate',
      'token.change',
      'token.create',
    ]);
    expect(rows[2]).toMatchObject({
      actor_email: ADMIN.email,
      before: { spending_quota: null },
      after: { spending_quota: '5' },
      request_id: changed.headers.get('x-request-id'),
      address: '127.0.0.1',
    });
    expect(JSON.stringify(rows)).not.toContain(token.body.key);
  });

  it('has a row for channels, models, users, passwords and money, and no secret in any', async () => {
    const secret = `sk-provider-${newId()}`;
    const password = `password ${newId()}`;
    const channel = await call('POST', '/api/v1/channels', {
      name: newId(),
      type: 'openai',
      api_key: secret,
      models: ['a'],
    });
    await call('PATCH', `/api/v1/channels/${channel.body.id}`, { api_key: `${secret}2`, enabled: false });
    await call('DELETE', `/api/v1/channels/${channel.body.id}`);
    const slug = `model-${newId()}`;
    await call('POST', '/api/v1/models', { slug, kind: 'chat', price: { input_per_million: '1' } });
    await call('PATCH', `/api/v1/models/${slug}`, { price: { input_per_million: '2' } });
    const email = `${newId()}@example.com`;
    const user = await call('POST', '/api/v1/users', { email, password, role: 'member' });
    await call('PATCH', `/api/v1/users/${user.body.id}`, { password: `${password}2` });
    await call('PATCH', `/api/v1/users/${user.body.id}`, { disabled: true });
    const wallets = await call<{ data: { id: string }[] }>('GET', '/api/v1/wallets');
    const walletId = wallets.body.data[0]?.id ?? '';
    await call('POST', `/api/v1/wallets/${walletId}/topups`, { amount: '1', idempotency_key: newId() });
    const rows = await listAudit('?limit=10');
    expect(rows.map((row) => row.action).slice(0, 9)).toEqual([
      'wallet.top_up',
      'user.change',
      'user.set_password',
      'user.create',
      'model.change',
      'model.create',
      'channel.delete',
      'channel.change',
      'channel.create',
    ]);
    expect(rows[4]).toMatchObject({
      before: { price: { input_per_million: '1' } },
      after: { price: { input_per_million: '2' } },
    });
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  it('has no row for a change that was refused', async () => {
    const name = newId();
    await call('POST', '/api/v1/tokens', { name });
    const before = await listAudit('?action=token.create');
    expect((await call('POST', '/api/v1/tokens', { name })).status).toBe(409);
    expect(await listAudit('?action=token.create')).toEqual(before);
  });

  it('reports what the configuration file changed, by name', async () => {
    const configPath = join(bed.dataDirectory, 'gateway.yaml');
    const slug = `model-${newId()}`;
    await mkdir(bed.dataDirectory, { recursive: true });
    await writeFile(configPath, `models:\n- { slug: ${slug}, kind: chat }\n`);
    await bed.open({ configPath });
    await bed.open({ configPath });
    expect(await listAudit('?action=configuration.apply')).toMatchObject([
      {
        actor_id: null,
        actor_email: 'configuration file',
        after: { models: [slug], channels: [], tokens: [] },
      },
    ]);
  });

  it('is paged by cursor, filtered, and never changed', async () => {
    const page = await console.call<{ data: unknown[]; next_cursor: string }>(
      'GET',
      '/api/v1/audit?limit=2',
      {
        session,
      },
    );
    expect(page.body.data).toHaveLength(2);
    const next = await listAudit(`?limit=2&cursor=${page.body.next_cursor}`);
    expect(next).toHaveLength(2);
    expect(page.body.data).not.toContainEqual(next[0]);
    const starts = await listAudit('?action=session.start&target_type=session');
    expect(starts.length).toBeGreaterThan(0);
    await expect(bed.database.query(`update audit_log set actor_email = 'x'`)).rejects.toThrow(
      'never changed',
    );
    await expect(bed.database.query('delete from audit_log')).rejects.toThrow('never changed');
  });
});
