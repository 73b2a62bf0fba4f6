import { deriveSecretKey } from '@mg/persistence/console';
import { followChanges, loadCatalog } from '@mg/persistence/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADMIN,
  ENCRYPTION_KEY,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from '../testing/open-test-console.js';
import type { ShownChannel as ChannelView } from './channel-view.js';

const KEY = 'sk-provider-key-number-one-abcd';

let bed: TestBed;
let console: OpenConsole;
let session: string;
const asked: [string, string][] = [];

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open({
    gateway: {
      async testChannel(channelId, upstreamModel) {
        asked.push([channelId, upstreamModel]);
        return { ok: true, latency_ms: 3, status: 200, message: 'The upstream answered.' };
      },
      listModels: () => expect.unreachable('no list is asked for'),
    },
  });
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

function call<Body = ChannelView>(method: string, path: string, body?: unknown) {
  return console.call<Body>(method, `/api/v1/channels${path}`, { session, body });
}

async function channelsOf(slug: string) {
  const { catalog } = await loadCatalog(bed.database, deriveSecretKey(ENCRYPTION_KEY), 1);
  return catalog.channelsBySlug.get(slug) ?? [];
}

describe('a channel', () => {
  it('is made, changed and deleted, and its keys are never answered', async () => {
    const made = await call('POST', '', {
      name: 'one',
      type: 'openai-compatible',
      base_url: 'http://127.0.0.1:9',
      api_keys: [KEY, 'short'],
      models: ['gpt', 'org/model'],
      timeout: { connect: '250ms', total: '15m' },
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'one',
      type: 'openai-compatible',
      base_url: 'http://127.0.0.1:9',
      key_hints: ['sk-...abcd', '...'],
      keys: [
        { id: null, ref: 'main.0', hint: 'sk-...abcd', enabled: true },
        { id: null, ref: 'main.1', hint: '...', enabled: true },
      ],
      models: { gpt: 'gpt', 'org/model': 'org/model' },
      settings: {},
      secret_settings: [],
      priority: 0,
      weight: 1,
      timeout: { connect: '250ms', total: '15m' },
      on_abort: null,
      prompt_caching: 'auto',
      batches: 'gateway',
      probe: null,
      limits: {},
      enabled: true,
      uncallable_models: [
        { slug: 'gpt', reason: 'unknown' },
        { slug: 'org/model', reason: 'unknown' },
      ],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const path = `/${made.body.id}`;
    expect((await channelsOf('gpt')).map((channel) => channel.apiKeys)).toEqual([[KEY, 'short']]);

    const changed = await call('PATCH', path, { weight: 5, models: { gpt: 'gpt-2' } });
    expect(changed.body).toEqual({
      ...made.body,
      weight: 5,
      models: { gpt: 'gpt-2' },
      uncallable_models: [{ slug: 'gpt', reason: 'unknown' }],
      updated_at: expect.any(String),
    });
    await call('PATCH', path, { api_key: 'sk-provider-key-number-two-wxyz' });
    expect(await channelsOf('gpt')).toMatchObject([
      { weight: 5, apiKeys: ['sk-provider-key-number-two-wxyz'] },
    ]);
    await call('PATCH', path, { enabled: false });
    expect(await channelsOf('gpt')).toEqual([]);

    for (const { text } of [made, changed, await call('GET', path), await call('GET', '')]) {
      expect(text).not.toMatch(/number-(one|two)|sealed/);
    }
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(404);
  });

  it('is not deleted while its provider carries out batches', async () => {
    const { id } = (await call('POST', '', { name: 'carries', type: 'openai', api_key: KEY })).body;
    const query = (sql: string) => bed.database.query(sql, [id]);
    await query(
      `insert into batch (id, wallet_id, token_id, key_hash, api, endpoint, details, expires_at)
         values ('batch_1', $1, $1, '', 'batch', '/v1/responses', '{}', now())`,
    );
    await query(
      `insert into upstream_batch (id, batch_id, wallet_id, channel_id, key_fingerprint, upstream_model)
         values ($1, 'batch_1', $1, $1, '', '')`,
    );
    const refused = await call<{ detail: object }>('DELETE', `/${id}`);
    expect([refused.status, refused.body.detail]).toMatchObject([409, { code: 'conflict' }]);
    expect((await call('GET', `/${id}`)).status).toBe(200);
    await query('update upstream_batch set ended_at = now() where channel_id = $1');
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
  });

  it('has keys that are added and removed one by one, without being shown', async () => {
    const keyOf = (end: string) => `sk-provider-key-number-${end}`;
    const body = { name: 'many keys', type: 'openai', api_key: keyOf('1aaa'), models: ['keyed'] };
    const made = await call('POST', '', body);
    const path = `/${made.body.id}`;
    const add = (end: string) => call('POST', `${path}/keys`, { api_key: keyOf(end) });
    const remove = (id: unknown) => call('DELETE', `${path}/keys/${String(id)}`);
    const inUse = async () => (await channelsOf('keyed'))[0]?.apiKeys;
    await add('2bbb');
    const three = await add('3ccc');
    expect(three.status).toBe(201);
    const hints = ['sk-...1aaa', 'sk-...2bbb', 'sk-...3ccc'];
    expect(three.body).toMatchObject({ key_hints: hints, keys: hints.map((hint) => ({ hint })) });
    expect(three.text).not.toContain('provider-key');
    expect(await inUse()).toEqual([keyOf('1aaa'), keyOf('2bbb'), keyOf('3ccc')]);
    for (const end of ['1aaa', '3ccc']) expect((await add(end)).status).toBe(409);
    expect(await call('POST', `${path}/keys`, { api_key: 'two\nlines' })).toMatchObject({
      status: 400,
      body: { detail: { param: 'api_key' } },
    });

    const [main, second] = three.body.keys;
    expect((await remove(main?.id)).status).toBe(204);
    expect((await remove(second?.id)).status).toBe(204);
    for (const gone of [main?.id, second?.id, null, 'settings']) {
      expect((await remove(gone)).status).toBe(404);
    }
    expect(await inUse()).toEqual([keyOf('3ccc')]);
    const { body: left } = await call('GET', path);
    expect((await remove(left.keys[0]?.id)).status).toBe(409);

    await add('4ddd');
    await call('PATCH', path, { api_key: keyOf('5eee') });
    expect(await inUse()).toEqual([keyOf('5eee')]);
  });

  it('has keys that are disabled and enabled one by one, and serves nothing without an enabled one', async () => {
    const keys = ['1', '2', '3'].map((end) => `${KEY}${end}`);
    const body = { name: 'switched', type: 'openai', api_keys: keys.slice(0, 2), models: ['switched'] };
    const path = `/${(await call('POST', '', body)).body.id}`;
    const { body: added } = await call('POST', `${path}/keys`, { api_key: keys[2] });
    const mark = (ref = '', enabled = false) => call('PATCH', `${path}/keys/${ref}`, { enabled });
    const used = async () => (await channelsOf('switched')).map(({ apiKeys }) => apiKeys);
    const stateOf = async () => {
      const answer = await console.call<{ channels: { name: string; state: string; has_key: boolean }[] }>(
        'GET',
        '/api/v1/system',
        { session },
      );
      return answer.body.channels.find(({ name }) => name === 'switched');
    };
    const [first, second, third] = added.keys.map(({ ref }) => ref);
    const { body: one } = await mark(second);
    expect(one.keys.map(({ enabled }) => enabled)).toEqual([true, false, true]);
    expect(await used()).toEqual([[keys[0], keys[2]]]);
    expect((await channelsOf('switched'))[0]?.disabledKeys).toEqual([keys[1]]);
    await mark(first);
    expect(await stateOf()).toMatchObject({ has_key: true, state: 'idle' });
    await mark(third);
    expect(await used()).toEqual([]);
    expect(await stateOf()).toMatchObject({ has_key: false, state: 'disabled' });
    await mark(third, true);
    expect(await used()).toEqual([[keys[2]]]);
    expect((await mark('main')).status).toBe(404);
    expect((await call('PATCH', `${path}/keys/${third}`, { enabled: 'no' })).status).toBe(400);

    const audit = await console.call<{ data: { after: ChannelView }[] }>(
      'GET',
      `/api/v1/audit?target_id=${path.slice(1)}&action=channel.change&limit=1`,
      { session },
    );
    expect(audit.body.data[0]?.after.keys[2]).toMatchObject({ ref: third, enabled: true });
    await call('PATCH', path, { api_keys: keys.slice(0, 2) });
    expect(await used()).toEqual([[keys[2]]]);
    await call('PATCH', path, { api_key: `${KEY}4` });
    expect(await used()).toEqual([[`${KEY}4`]]);
  });

  it('M7: leaves keys behind that were not given along when it moves to another address', async () => {
    const body = { name: 'moves', type: 'openai', base_url: 'https://a.example.com', models: ['moved'] };
    const made = await call('POST', '', { ...body, api_key: KEY });
    const path = `/${made.body.id}`;
    await call('POST', `${path}/keys`, { api_key: `${KEY}2` });
    const moved = { base_url: 'https://b.example.com' };
    expect((await call('PATCH', path, moved)).status).toBe(400);
    expect((await call('PATCH', path, { ...moved, api_key: KEY })).status).toBe(200);
    expect((await channelsOf('moved'))[0]?.apiKeys).toEqual([KEY]);
  });

  it('has its provider carry out batches only where that is known to do so', async () => {
    const channel = { name: 'batched', api_key: KEY, models: ['gpt-batched'], batches: 'native' };
    const made = await call('POST', '', { ...channel, type: 'openai' });
    expect(made.body).toMatchObject({ batches: 'native' });
    expect(await channelsOf('gpt-batched')).toMatchObject([{ batches: 'native' }]);
    const third = await call('POST', '', { ...channel, name: 'messages', type: 'anthropic' });
    expect(third.body).toMatchObject({ batches: 'native' });
    const other = await call('POST', '', {
      ...channel,
      name: 'other',
      type: 'deepseek',
      batches: 'gateway',
    });
    const refusals = [
      await call<object>('POST', '', { ...channel, name: 'fourth', type: 'deepseek' }),
      await call<object>('PATCH', `/${other.body.id}`, { batches: 'native' }),
    ];
    for (const { status, text } of refusals) {
      expect(status).toBe(400);
      expect(text).toMatch(/batches: native is for channels of type [a-z, ]+, not of type deepseek\./);
    }
    for (const { body } of [made, third, other]) await call('DELETE', `/${body.id}`);
  });

  it('is announced to every gateway', async () => {
    let announced = 0;
    const changes = followChanges(bed.databaseUrl, {
      catalogChanged: () => (announced += 1),
      tokenChanged: () => undefined,
      connected: () => undefined,
      failed: (error) => expect.unreachable(error.message),
    });
    const isAnnounced = async (act: () => Promise<unknown>) => {
      const before = announced;
      await act();
      await expect.poll(() => announced).toBeGreaterThan(before);
    };
    await bed.database.query(`select pg_notify('catalog_changed', 'ready')`);
    await expect
      .poll(async () => {
        await bed.database.query(`select pg_notify('catalog_changed', 'ready')`);
        return announced;
      })
      .toBeGreaterThan(0);
    let path = '';
    await isAnnounced(async () => {
      path = `/${(await call('POST', '', { name: 'heard', type: 'openai', api_key: KEY })).body.id}`;
    });
    await isAnnounced(() => call('PATCH', path, { weight: 2 }));
    await isAnnounced(() => call('PATCH', path, { api_key: `${KEY}2` }));
    await isAnnounced(() => call('DELETE', path));
    await changes.close();
  });

  it.each([
    [{ name: 'x', type: 'opanai' }, 'type'],
    [{ name: 'x', type: 'openai' }, 'api_key'],
    [{ name: 'x', type: 'openai', api_key: '' }, 'api_key'],
    [{ name: 'x', type: 'openai', api_key: 'sk-a\r\nb' }, 'api_key'],
    [{ name: 'x', type: 'openai', api_keys: [KEY, 'sk-a\n'] }, 'api_keys[1]'],
    [{ name: 'x', type: 'openai', api_key: KEY, api_keys: [KEY] }, 'api_keys'],
    [{ name: 'x', type: 'openai', api_key: KEY, settings: { region: 'x' } }, 'settings.region'],
    [{ name: 'x', type: 'openai', api_key: KEY, base_url: 'file:///etc/passwd' }, 'base_url'],
    [{ name: 'x', type: 'openai', api_key: KEY, base_url: 'https://a:b@example.com' }, 'base_url'],
    [{ name: 'x', type: 'openai-compatible' }, 'base_url'],
    [{ name: 'x', type: 'openai', api_key: KEY, models: { 'a b': 'c' } }, 'models'],
    [{ name: 'x', type: 'openai', api_key: KEY, timeout: { total: '1 day' } }, 'timeout.total'],
    [{ name: 'x', type: 'openai', api_key: KEY, key_hints: [] }, 'key_hints'],
  ])('is refused by the field that is wrong: %j', async (body, param) => {
    const { status, body: answer } = await call<{ detail: { param: string } }>('POST', '', body);
    expect(status).toBe(400);
    expect(answer.detail.param).toBe(param);
  });

  it('M7: keeps its key on the address that it was given for, and takes it nowhere else', async () => {
    const KEPT = {
      name: 'moving',
      type: 'openai-compatible',
      base_url: 'https://a.example.com/v1',
      api_key: KEY,
    };
    const path = `/${(await call('POST', '', { ...KEPT, models: ['moving'] })).body.id}`;
    const move = async (change: object) => {
      const { status, body } = await call<{ detail?: { param?: string } }>('PATCH', path, change);
      return [status, body.detail?.param];
    };
    for (const base_url of [
      'https://evil.example.com/v1',
      'http://a.example.com/v1',
      'https://a.example.com:8443/v1',
      'https://a.example.com.evil.com/v1',
    ]) {
      expect(await move({ base_url })).toEqual([400, 'api_key']);
      expect(await move({ base_url, settings: {}, weight: 3 })).toEqual([400, 'api_key']);
    }
    expect(await channelsOf('moving')).toMatchObject([{ baseUrl: KEPT.base_url, apiKeys: [KEY] }]);
    expect(await move({ base_url: 'https://A.example.com:443/other' })).toEqual([200, undefined]);
    expect(await move({ base_url: 'https://b.example.com', api_key: `${KEY}2` })).toEqual([200, undefined]);
    expect(await channelsOf('moving')).toMatchObject([{ apiKeys: [`${KEY}2`] }]);
  });

  it('M7: keeps its key at the well-known address of its provider', async () => {
    const made = await call('POST', '', { name: 'known', type: 'openai', api_key: KEY });
    const { status, body } = await call<{ detail: object }>('PATCH', `/${made.body.id}`, {
      base_url: 'https://evil.example.com',
    });
    expect([status, body.detail]).toMatchObject([400, { param: 'api_key', code: 'invalid_request' }]);
  });

  it('has a name of its own', async () => {
    const body = { name: 'twice', type: 'openai', api_key: KEY };
    expect((await call('POST', '', body)).status).toBe(201);
    expect((await call('POST', '', body)).status).toBe(409);
  });
});

describe('testing a channel', () => {
  interface Outcome {
    readonly ok: boolean;
    readonly latency_ms: number;
    readonly status: number | null;
    readonly message: string;
  }

  async function findSandbox(): Promise<ChannelView | undefined> {
    const { body } = await call<{ data: ChannelView[] }>('GET', '');
    return body.data.find((channel) => channel.type === 'sandbox');
  }

  it('is left to a gateway, by the name that the upstream knows the model by', async () => {
    const made = await call('POST', '', {
      name: 'tested',
      type: 'openai',
      api_key: KEY,
      models: { tried: 'first-model', another: 'second-model' },
    });
    const first = await call<Outcome>('POST', `/${made.body.id}/test`, {});
    expect(first.body).toEqual({
      ok: true,
      latency_ms: 3,
      status: 200,
      message: 'The upstream answered.',
      refused_because: 'unknown',
    });
    await call('POST', `/${made.body.id}/test`, { model: 'another' });
    expect(asked).toEqual([
      [made.body.id, 'first-model'],
      [made.body.id, 'second-model'],
    ]);
  });

  it('says that no gateway is up', async () => {
    const alone = await bed.open();
    const channel = await findSandbox();
    const { status, text } = await alone.call('POST', `/api/v1/channels/${channel?.id}/test`, { session });
    expect(status).toBe(503);
    expect(text).toContain('No gateway answers');
  });

  it('says that there is no model to try it with', async () => {
    const made = await call('POST', '', { name: 'no-models', type: 'openai', api_key: KEY, models: {} });
    const { body } = await call<Outcome>('POST', `/${made.body.id}/test`, {});
    expect(body).toMatchObject({ ok: false, status: null });
    expect(body.message).toContain('serves no model');
  });

  it('refuses a model that the channel does not serve', async () => {
    const channel = await findSandbox();
    const { status, body: answer } = await call<{ detail: object }>('POST', `/${channel?.id}/test`, {
      model: 'nobody-serves-this',
    });
    expect(status).toBe(400);
    expect(answer.detail).toMatchObject({ param: 'model' });
  });
});
