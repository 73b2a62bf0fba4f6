import { mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@mg/contract';
import { deriveSecretKey } from '@mg/persistence/console';
import { findCallerToken, followChanges, loadCatalog } from '@mg/persistence/gateway';
import { openCredentials } from '@mg/persistence/migrate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedChannelId } from '../seed/seed-id.js';
import { ENCRYPTION_KEY, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';

const PROVIDER_KEY = 'sk-provider-key-of-the-file';

const FILE = `
admin: { email: Owner@Example.com, password: \${ADMIN_PASSWORD} }
channels:
  - name: main
    type: openai-compatible
    base_url: http://127.0.0.1:9/v1
    api_key: \${PROVIDER_KEY}
    models: { gpt: gpt-upstream }
    timeout: { connect: 250ms, total: 2m }
    limits: { rpm: 600, concurrency: 50 }
    on_abort: finish
    prompt_caching: off
models:
  - slug: gpt
    kind: chat
    limits: { rpm: 1000 }
    price: { input_per_million: "0.25", output_per_million: "2.00" }
    fallback: [claude]
    fallback_on: [context]
    routing: busy
    sticky: true
    first_token_timeout: 20s
    aliases: ['gpt-2027-*', other]
wallets:
  - { name: acme, balance: "25.00", credit_limit: "7.50", limits: { concurrency: 100 }, alert_below: "5" }
tokens:
  - { name: ci, wallet: acme, key: sk-key-of-the-ci-job, allowed_models: [gpt], allowed_ips: [10.1.0.0/16], spending_quota: "5.00", limits: { rpm: 60 }, default_model: gpt, store_responses: false }
  - { name: made, wallet: acme }
`;

const variables = { ADMIN_PASSWORD: 'owner password', PROVIDER_KEY };
const quiet = { SANDBOX_ENABLED: 'false' };

let bed: TestBed;
let directory: string;
let configPath: string;

beforeAll(async () => {
  bed = await makeTestBed();
});

afterAll(() => bed.stop());

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'console-config-'));
  configPath = join(directory, 'gateway.yaml');
  await writeFile(configPath, FILE);
});

afterEach(async () => {
  await bed.clear();
  await rm(directory, { recursive: true, force: true });
});

function open(options: { environment?: Record<string, string>; variables?: Record<string, string> } = {}) {
  return bed.open({ configPath, variables, environment: quiet, ...options });
}

/** Every row that configuration makes, without the clocks' figures. */
async function readRows(): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = [
    'app_user',
    'wallet',
    'token',
    'channel',
    'channel_credential',
    'model',
    'price_version',
    'entry',
  ];
  const rows = await Promise.all(
    tables.map(
      async (table) => [table, await bed.database.query(`select * from ${table} order by 1`)] as const,
    ),
  );
  return Object.fromEntries(rows);
}

async function listByName(console: OpenConsole, session: string, section: string) {
  const { body } = await console.call<{ data: { id: string; name: string }[] }>('GET', `/api/v1/${section}`, {
    session,
  });
  return body.data.toSorted((left, right) => left.name.localeCompare(right.name));
}

async function readCatalog() {
  const { catalog } = await loadCatalog(bed.database, deriveSecretKey(ENCRYPTION_KEY), 1);
  return catalog;
}

describe('applying the file', () => {
  it('makes what it names, as the gateway reads it', async () => {
    const console = await open();
    const catalog = await readCatalog();
    expect(catalog.channelsBySlug.get('gpt')).toMatchObject([
      {
        name: 'main',
        type: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:9/v1',
        apiKeys: [PROVIDER_KEY],
        models: new Map([['gpt', 'gpt-upstream']]),
        priority: 0,
        weight: 1,
        timeouts: { connectMs: 250, firstByteMs: 60_000, idleMs: 60_000, totalMs: 120_000 },
        limits: { scope: 'channel', limits: { rpm: 600, concurrency: 50 } },
        onAbort: 'finish',
        promptCaching: 'off',
      },
    ]);
    expect(catalog.models.get('gpt')).toMatchObject({
      limits: { scope: 'model', id: 'gpt', limits: { rpm: 1000 } },
      fallback: ['claude'],
      fallbackOn: ['context'],
      routing: 'busy',
      sticky: true,
      firstTokenMs: 20_000,
      aliases: ['gpt-2027-*', 'other'],
    });
    expect(catalog.models.get('gpt')?.prices).toMatchObject([
      { price: { input_per_million: 250_000_000n, output_per_million: 2_000_000_000n } },
    ]);
    expect(await findCallerToken(bed.database, sha256('sk-key-of-the-ci-job'))).toMatchObject({
      name: 'ci',
      allowedModels: new Set(['gpt']),
      disabled: false,
      defaultModel: 'gpt',
      storesResponses: false,
      limits: [
        { scope: 'token', limits: { rpm: 60 } },
        { scope: 'wallet', limits: { concurrency: 100 } },
      ],
    });
    const session = await console.login('owner@example.com', 'owner password');
    expect(await listByName(console, session, 'wallets')).toMatchObject([
      { name: 'acme', balance: '25', credit_limit: '7.5', alert_below: '5', user_id: null },
      { name: 'owner@example.com', balance: '0' },
    ]);
    expect(await listByName(console, session, 'tokens')).toMatchObject([
      { name: 'ci', spending_quota: '5', allowed_ips: ['10.1.0.0/16'] },
      { name: 'made', spending_quota: null },
    ]);
  });

  it('keeps a generated key in a file of its owner', async () => {
    await open();
    const path = join(bed.dataDirectory, 'generated-keys', 'acme.made.key');
    const key = (await readFile(path, 'utf8')).trim();
    expect(await findCallerToken(bed.database, sha256(key))).toMatchObject({ name: 'made' });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('T21: keeps no secret in the clear, and logs none', async () => {
    await open();
    const rows = await readRows();
    const clear = JSON.stringify(rows) + bed.logged.join('\n');
    for (const secret of [PROVIDER_KEY, 'sk-key-of-the-ci-job', variables.ADMIN_PASSWORD]) {
      expect(clear).not.toContain(secret);
    }
    const [secret] = rows['channel_credential'] ?? [];
    expect(secret?.['hints']).toEqual(['sk-...file']);
    const channelId = String(secret?.['channel_id']);
    const secretKey = deriveSecretKey(ENCRYPTION_KEY);
    const parts = [{ part: 'api_keys', sealed: String(secret?.['sealed']), removed: false }];
    expect(openCredentials(null, parts, channelId, secretKey)).toMatchObject({
      apiKeys: [PROVIDER_KEY],
      settings: {},
    });
  });

  it('changes nothing and announces nothing the second time, nor with two at once', async () => {
    await open();
    const before = await readRows();
    const announced: string[] = [];
    const changes = followChanges(bed.databaseUrl, {
      catalogChanged: () => announced.push('catalog'),
      tokenChanged: () => announced.push('token'),
      connected: () => undefined,
      failed: (error) => expect.unreachable(error.message),
    });
    await Promise.all([open(), open(), open()]);
    expect(await readRows()).toEqual(before);
    await bed.database.query(`select pg_notify('catalog_changed', 'end')`);
    await expect.poll(() => announced.length).toBeGreaterThan(0);
    expect(announced).toEqual(['catalog']);
    await changes.close();
  });

  it('is done once by two that start together on an empty database', async () => {
    await Promise.all([open(), open()]);
    const rows = await readRows();
    expect(Object.entries(rows).map(([table, list]) => [table, list.length])).toEqual([
      ['app_user', 1],
      ['wallet', 2],
      ['token', 2],
      ['channel', 1],
      ['channel_credential', 1],
      ['model', 1],
      ['price_version', 1],
      ['entry', 2],
    ]);
  });

  it('leaves alone what it does not name', async () => {
    const console = await open();
    const session = await console.login('owner@example.com', 'owner password');
    const [channel] = await listByName(console, session, 'channels');
    const ci = (await listByName(console, session, 'tokens')).find((token) => token.name === 'ci');
    await console.call('PATCH', `/api/v1/channels/${channel?.id}`, {
      session,
      body: { weight: 7, enabled: false },
    });
    await console.call('PATCH', `/api/v1/tokens/${ci?.id}`, { session, body: { disabled: true } });
    await console.call('POST', '/api/v1/models', { session, body: { slug: 'other', kind: 'chat' } });
    const before = await readRows();
    await open();
    expect(await readRows()).toEqual(before);
  });

  it('does not bring a deleted key back to life', async () => {
    const console = await open();
    const session = await console.login('owner@example.com', 'owner password');
    const { body } = await console.call<{ data: { id: string; name: string }[] }>('GET', '/api/v1/tokens', {
      session,
    });
    const ci = body.data.find((token) => token.name === 'ci');
    await console.call('DELETE', `/api/v1/tokens/${ci?.id}`, { session });
    await open();
    expect(await findCallerToken(bed.database, sha256('sk-key-of-the-ci-job'))).toBeUndefined();
  });

  it.each([
    [
      'a wallet that nobody has',
      FILE.replace('wallet: acme, key', 'wallet: acmee, key'),
      'tokens[0].wallet: there is no wallet "acmee".',
    ],
    ['nobody to own a token', FILE.replace(/admin:.*\n/, ''), 'tokens[0]: tokens belong to an administrator'],
    [
      'a variable that is missing',
      FILE.replace('PROVIDER_KEY', 'OTHER'),
      'channels[0].api_key: the environment variable OTHER is not set.',
    ],
  ])('refuses to start with %s, and leaves no half behind', async (_name, text, message) => {
    await writeFile(configPath, text);
    await expect(bed.open({ configPath, variables, environment: quiet, bootstrap: null })).rejects.toThrow(
      message,
    );
    const rows = await readRows();
    for (const table of ['token', 'channel', 'model', 'price_version']) expect(rows[table]).toEqual([]);
  });

  it('refuses to start without the file', async () => {
    await rm(configPath);
    await expect(open()).rejects.toThrow(`GATEWAY_CONFIG: the file ${configPath} cannot be read (ENOENT).`);
  });
});

async function readPrices() {
  return (await readCatalog()).models.get('gpt')?.prices.map((pinned) => pinned.price);
}

describe('following the file', () => {
  /** How long a change may take: the promise is a second, and the machine is shared. */
  const soon = { timeout: 3_000, interval: 50 };

  it('applies a change: a new price is a new version', async () => {
    await open();
    await writeFile(configPath, FILE.replace('"0.25"', '"0.30"'));
    await expect.poll(readPrices, soon).toEqual([
      { input_per_million: 300_000_000n, output_per_million: 2_000_000_000n },
      { input_per_million: 250_000_000n, output_per_million: 2_000_000_000n },
    ]);
  });

  it('applies a file that an editor put in the place of the old', async () => {
    await open();
    await writeFile(join(directory, 'new'), FILE.replace('"0.25"', '"0.35"'));
    await rename(join(directory, 'new'), configPath);
    await expect.poll(async () => (await readPrices())?.length, soon).toBe(2);
  });

  it('applies a directory that was swapped by a link', async () => {
    for (const [name, text] of [
      ['one', FILE],
      ['two', FILE.replace('"0.25"', '"0.40"')],
    ] as const) {
      await mkdir(join(directory, name));
      await writeFile(join(directory, name, 'gateway.yaml'), text);
    }
    await symlink('one', join(directory, 'data'));
    configPath = join(directory, 'data', 'gateway.yaml');
    await open();
    await symlink('two', join(directory, 'data_tmp'));
    await rename(join(directory, 'data_tmp'), join(directory, 'data'));
    await expect.poll(async () => (await readPrices())?.length, soon).toBe(2);
  });

  it('keeps what is in force while the file is wrong, and goes on when it is right again', async () => {
    await open();
    const before = await readRows();
    await writeFile(configPath, FILE.replace('kind: chat', 'kind: chta'));
    const error =
      'models[0].kind: must be one of chat, embedding, image, transcription, speech, moderation, rerank, realtime, video.';
    await expect.poll(() => bed.logged.some((line) => line.includes(error)), soon).toBe(true);
    expect(await readRows()).toEqual(before);
    await writeFile(configPath, FILE.replace('\ntokens:', '\n  - { name: second, balance: "1" }\ntokens:'));
    await expect.poll(async () => (await readRows())['wallet']?.length, soon).toBe(3);
  });
});

describe('what appears by itself', () => {
  const withKey = { ...variables, OPENAI_API_KEY: 'sk-openai-key-of-the-environment' };
  const openaiId = seedChannelId('openai');

  it('is the sandbox, unless it is switched off', async () => {
    await bed.open();
    const sandbox = async () => (await readCatalog()).channelsBySlug.get('sandbox-chat')?.map((c) => c.type);
    expect(await sandbox()).toEqual(['sandbox']);
    expect((await readCatalog()).models.get('sandbox-chat')?.prices).toHaveLength(1);
    await bed.open({ environment: quiet });
    expect(await sandbox()).toBeUndefined();
    await bed.open();
    expect(await sandbox()).toEqual(['sandbox']);
  });

  it("is a channel for a provider's key, with dated prices, and follows the key", async () => {
    await bed.open({ variables: withKey });
    const catalog = await readCatalog();
    expect(catalog.channelsBySlug.get('gpt-5-mini')).toMatchObject([
      { name: 'openai', apiKeys: [withKey.OPENAI_API_KEY] },
    ]);
    expect(catalog.models.get('gpt-5-mini')?.prices).toMatchObject([
      { price: { output_per_million: 2_000_000_000n } },
    ]);
    const [version] = await bed.store.models.listPrices('gpt-5-mini');
    expect(version?.source).toMatch(
      /^@pydantic\/genai-prices \d+\.\d+\.\d+ \(20\d\d-\d\d-\d\d\); fees: https:\/\/\S+ \(20\d\d-\d\d-\d\d\)$/,
    );
    const before = await readRows();
    await bed.open({ variables: withKey });
    expect(await readRows()).toEqual(before);

    await bed.open({ variables: { OPENAI_API_KEY: 'sk-another-key-of-the-environment' } });
    expect((await readCatalog()).channelsBySlug.get('gpt-5-mini')).toMatchObject([
      { apiKeys: ['sk-another-key-of-the-environment'] },
    ]);
    await bed.open();
    expect((await readCatalog()).channelsBySlug.get('gpt-5-mini')).toBeUndefined();
  });

  it('is two channels where one key serves two APIs', async () => {
    await bed.open({ variables: { ARK_API_KEY: 'a-key-of-ark' } });
    const { channelsBySlug, models } = await readCatalog();
    const [chat, video] = ['doubao-seed-1-6-251015', 'doubao-seedance-2-0-260128'];
    expect(channelsBySlug.get(chat)).toMatchObject([{ type: 'volcengine', apiKeys: ['a-key-of-ark'] }]);
    expect(channelsBySlug.get(video)).toMatchObject([{ type: 'videonative', apiKeys: ['a-key-of-ark'] }]);
    expect(models.get(video)).toMatchObject({
      kind: 'video',
      prices: [{ price: { per_second: 151_200_000n } }],
    });
  });

  it("never touches an operator's rows", async () => {
    const console = await bed.open({ variables: withKey });
    const session = await console.login('admin@example.com', 'correct horse');
    const path = `/api/v1/channels/${openaiId}`;
    await console.call('PATCH', path, { session, body: { name: 'mine', models: { 'gpt-5-mini': 'x' } } });
    await console.call('PATCH', '/api/v1/models/gpt-5-mini', {
      session,
      body: { price: { input_per_million: '1', output_per_million: '2' } },
    });
    expect((await console.call('DELETE', path, { session })).status).toBe(409);
    const before = await readRows();
    await bed.open({ variables: withKey });
    expect(await readRows()).toEqual(before);
  });

  it("gives way to an operator's channel of the same provider", async () => {
    await writeFile(
      configPath,
      FILE.replace('openai-compatible', 'openai').replace('name: main', 'name: openai'),
    );
    await open({ variables: withKey });
    expect(await bed.store.channels.find(openaiId)).toBeNull();
    expect((await readRows())['channel']).toHaveLength(1);
  });
});
