import { deriveSecretKey, sealCredential } from '@mg/persistence/console';
import { loadCatalog } from '@mg/persistence/gateway';
import { sealSecret, reencryptSecrets } from '@mg/persistence/migrate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ADMIN,
  ENCRYPTION_KEY,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from '../testing/open-test-console.js';
import type { ChannelView } from './channel-view.js';

const SECRET = 'aws-secret-access-key-of-the-test';
const SESSION = 'aws-session-token-of-the-test';
const secretKey = deriveSecretKey(ENCRYPTION_KEY);

let bed: TestBed;
let console: OpenConsole;
let session: string;
let count = 0;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

function call<Body = ChannelView>(method: string, path: string, body?: unknown) {
  return console.call<Body>(method, `/api/v1/channels${path}`, { session, body });
}

async function inForce() {
  const { catalog } = await loadCatalog(bed.database, secretKey, 1);
  return catalog.channelsBySlug.get('secret')?.find((channel) => channel.name === `secret-${count}`);
}

const PUBLIC = { region: 'us-east-1', access_key_id: 'AKIDEXAMPLE' };

async function make(settings: Record<string, unknown>, fields: Record<string, unknown> = {}) {
  count += 1;
  return call('POST', '', {
    name: `secret-${count}`,
    type: 'bedrock',
    models: { secret: 'anthropic.claude' },
    settings,
    ...fields,
  });
}

describe('secret settings', () => {
  let path: string;
  let made: Awaited<ReturnType<typeof make>>;

  beforeEach(async () => {
    made = await make({ ...PUBLIC, secret_access_key: SECRET });
    path = `/${made.body.id}`;
  });

  it('are named and never answered, stored or logged in the clear; the gateway has them', async () => {
    expect(made.body).toMatchObject({
      settings: PUBLIC,
      secret_settings: ['secret_access_key'],
      key_hints: [],
    });
    expect(made.body.settings).toEqual(PUBLIC);
    expect((await inForce())?.settings).toEqual({ ...PUBLIC, secret_access_key: SECRET });
    const rows: unknown = await bed.database.query(
      'select * from channel left join channel_credential on channel_id = id',
    );
    const texts = [made.text, (await call('GET', path)).text, (await call('GET', '')).text];
    expect([...texts, JSON.stringify(rows), ...bed.logged].join('\n')).not.toContain(SECRET);
  });

  it('are kept by a change that leaves them out, replaced by name, and taken away by null', async () => {
    const kept = await call('PATCH', path, { settings: { ...PUBLIC, access_key_id: 'AKIDOTHER' } });
    expect(kept.body).toMatchObject({
      settings: { access_key_id: 'AKIDOTHER' },
      secret_settings: ['secret_access_key'],
    });
    await call('PATCH', path, { weight: 3, api_key: 'sk-bedrock-key' });
    expect(await inForce()).toMatchObject({
      settings: { access_key_id: 'AKIDOTHER', secret_access_key: SECRET },
      apiKeys: ['sk-bedrock-key'],
    });
    const added = await call('PATCH', path, { settings: { ...PUBLIC, session_token: SESSION } });
    expect(added.body.secret_settings).toEqual(['secret_access_key', 'session_token']);
    expect(added.text).not.toContain(SESSION);
    const taken = await call('PATCH', path, {
      settings: { region: 'us-east-1', secret_access_key: null, session_token: null },
    });
    expect(taken.body).toMatchObject({ settings: { region: 'us-east-1' }, secret_settings: [] });
    expect(await inForce()).toMatchObject({
      settings: { region: 'us-east-1' },
      apiKeys: ['sk-bedrock-key'],
    });
  });

  it('both stay when two change different ones at once', async () => {
    await Promise.all([
      call('PATCH', path, { api_key: 'sk-bedrock-key' }),
      call('PATCH', path, { settings: { ...PUBLIC, session_token: SESSION } }),
      call('PATCH', path, { settings: { ...PUBLIC, secret_access_key: `${SECRET}-2` } }),
    ]);
    expect(await inForce()).toMatchObject({
      settings: { secret_access_key: `${SECRET}-2`, session_token: SESSION },
      apiKeys: ['sk-bedrock-key'],
    });
  });

  it.each([
    [{ ...PUBLIC, secret_access_key: '' }, 'settings.secret_access_key'],
    [{ ...PUBLIC, secret_access_key: null }, 'settings.secret_access_key'],
    [{ region: 'us-east-1' }, 'settings.access_key_id'],
  ])('are checked together with the others: %j', async (settings, param) => {
    const { status, body } = await call<{ detail: { param: string } }>('PATCH', path, { settings });
    expect(status).toBe(400);
    expect(body.detail.param).toBe(param);
    expect((await inForce())?.settings).toEqual({ ...PUBLIC, secret_access_key: SECRET });
  });

  it('that nobody can open any more do not keep the channel from being switched off', async () => {
    const foreign = sealCredential(
      'settings.secret_access_key',
      SECRET,
      made.body.id,
      deriveSecretKey('another key'),
    );
    await bed.database.query(
      'update channel_credential set sealed = $1, fingerprint = $2 where channel_id = $3',
      [foreign.sealed, foreign.fingerprint, made.body.id],
    );
    const off = await call('PATCH', path, { enabled: false });
    expect(off.body).toMatchObject({ enabled: false, secret_settings: [] });
    const again = await call('PATCH', path, { settings: { secret_access_key: SECRET, ...PUBLIC } });
    expect(again.body.secret_settings).toEqual(['secret_access_key']);
  });

  it('join keys that were sealed before there were secret settings', async () => {
    await bed.database.query(
      'insert into channel_secret (channel_id, sealed_keys, hints) values ($1, $2, $3)',
      [made.body.id, sealSecret('["sk-old"]', made.body.id, secretKey), ['...']],
    );
    expect((await call('GET', path)).body.key_hints).toEqual(['...']);
    expect((await inForce())?.apiKeys).toEqual(['sk-old']);
    await call('PATCH', path, { settings: { ...PUBLIC, secret_access_key: SECRET } });
    expect(await inForce()).toMatchObject({ apiKeys: ['sk-old'], settings: { secret_access_key: SECRET } });
  });

  it('that an earlier version sealed as a whole are named, and written one by one from then on', async () => {
    const whole = JSON.stringify({ keys: ['sk-old'], settings: { secret_access_key: SECRET } });
    await bed.database.query('delete from channel_credential where channel_id = $1', [made.body.id]);
    await bed.database.query(
      'insert into channel_secret (channel_id, sealed_keys, hints) values ($1, $2, $3)',
      [made.body.id, sealSecret(whole, made.body.id, secretKey), ['sk-...old']],
    );
    const whatIsInForce = { apiKeys: ['sk-old'], settings: { ...PUBLIC, secret_access_key: SECRET } };
    expect(await inForce()).toMatchObject(whatIsInForce);
    await reencryptSecrets(bed.database, secretKey);
    expect(await inForce()).toMatchObject(whatIsInForce);
    expect((await call('GET', path)).body).toMatchObject({
      key_hints: ['sk-...old'],
      secret_settings: ['secret_access_key'],
    });
    await call('PATCH', path, { settings: { region: 'us-east-1', secret_access_key: null } });
    expect(await inForce()).toMatchObject({ apiKeys: ['sk-old'], settings: { region: 'us-east-1' } });
  });
});
