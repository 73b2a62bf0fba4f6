import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deriveSecretKey } from '@mg/persistence/console';
import { loadCatalog } from '@mg/persistence/gateway';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MadeKey } from './generated-keys.js';
import { ENCRYPTION_KEY, makeTestBed, type TestBed } from '../testing/open-test-console.js';

let bed: TestBed;
let directory: string;
let configPath: string;

beforeAll(async () => {
  bed = await makeTestBed();
  directory = await mkdtemp(join(tmpdir(), 'console-secrets-'));
  configPath = join(directory, 'gateway.yaml');
});

afterEach(() => bed.clear());

afterAll(async () => {
  await bed.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('secret settings in the file', () => {
  const SECRET = 'aws-secret-access-key-of-the-file';
  const bedrock = (settings: string, type = 'bedrock') =>
    `channels:\n  - {name: aws, type: ${type}, models: {claude: anthropic.claude}${settings}}\n`;
  const WHOLE = bedrock(
    ', settings: {region: us-east-1, access_key_id: AKIDEXAMPLE, secret_access_key: "${SECRET}"}',
  );
  const KEPT = bedrock(', weight: 2, settings: {region: us-east-1, access_key_id: AKIDEXAMPLE}');
  const MOVED = bedrock(', settings: {region: eu-west-1, access_key_id: AKIDEXAMPLE}');

  async function apply(text: string): Promise<void> {
    await writeFile(configPath, text);
    await bed.open({ configPath, variables: { SECRET }, environment: { SANDBOX_ENABLED: 'false' } });
  }

  async function readRows() {
    return {
      channels: await bed.database.query<Record<string, unknown>[]>('select * from channel'),
      secrets: await bed.database.query<Record<string, unknown>[]>(
        'select * from channel_credential order by part',
      ),
    };
  }

  async function settingsInForce() {
    const { catalog } = await loadCatalog(bed.database, deriveSecretKey(ENCRYPTION_KEY), 1);
    return catalog.channelsBySlug.get('claude')?.[0]?.settings;
  }

  it('are sealed, reach the gateway, and are not written again for nothing', async () => {
    await apply(WHOLE);
    expect(await settingsInForce()).toEqual({
      region: 'us-east-1',
      access_key_id: 'AKIDEXAMPLE',
      secret_access_key: SECRET,
    });
    const before = await readRows();
    expect(before.channels).toMatchObject([
      { settings: { region: 'us-east-1', access_key_id: 'AKIDEXAMPLE' } },
    ]);
    expect(JSON.stringify(before) + bed.logged.join('\n')).not.toContain(SECRET);
    await apply(WHOLE);
    expect(await readRows()).toEqual(before);
  });

  it('are kept when left out, and taken away by null', async () => {
    await apply(WHOLE);
    const before = await readRows();
    await apply(KEPT);
    expect((await readRows()).secrets).toEqual(before.secrets);
    expect(await settingsInForce()).toMatchObject({ region: 'us-east-1', secret_access_key: SECRET });
    await apply(bedrock(', api_key: sk-bedrock-key, settings: {region: eu-west-1, secret_access_key: null}'));
    expect(await settingsInForce()).toEqual({ region: 'eu-west-1' });
  });

  it('M7: do not go to another address unless the file names them', async () => {
    await apply(WHOLE);
    const before = await readRows();
    await expect(apply(MOVED)).rejects.toThrow('channels[0].settings.secret_access_key: must be given again');
    expect(await readRows()).toEqual(before);
    await apply(WHOLE.replace('us-east-1', 'eu-west-1'));
    expect(await settingsInForce()).toMatchObject({ region: 'eu-west-1', secret_access_key: SECRET });
  });

  it('M7: nor does an API key, of another type of channel neither', async () => {
    const local = (rest: string) => `channels:\n  - {name: l, models: [claude], ${rest}}\n`;
    await apply(local('type: openai-compatible, base_url: "http://127.0.0.1:9/v1", api_key: "${SECRET}"'));
    for (const moved of [
      'type: openai-compatible, base_url: "http://127.0.0.1:10/v1"',
      'type: vllm, base_url: "https://127.0.0.1:9/v1"',
      'type: ollama, base_url: "http://localhost:9/v1"',
    ]) {
      await expect(apply(local(moved))).rejects.toThrow('channels[0].api_key: must be given again');
    }
    await apply(local('type: vllm, base_url: "http://127.0.0.1:9/v2"'));
  });

  it('are not handed to a provider of another type', async () => {
    await apply(WHOLE);
    await apply(bedrock(', settings: {project: my-project}', 'vertex'));
    expect(await settingsInForce()).toEqual({ project: 'my-project', location: 'global' });
  });

  it('refuse to start where one is missing that nobody stored', async () => {
    await expect(apply(KEPT)).rejects.toThrow(
      'channels[0].settings.secret_access_key: is required with access_key_id.',
    );
    expect((await readRows()).channels).toEqual([]);
  });
});

describe('keys in the file', () => {
  async function apply(keys: string): Promise<void> {
    const channel = `{name: many, type: openai, models: [gpt], api_keys: ${keys}}`;
    await writeFile(configPath, `channels:\n  - ${channel}\n`);
    await bed.open({ configPath, environment: { SANDBOX_ENABLED: 'false' } });
  }

  async function used(): Promise<(readonly string[])[]> {
    const { catalog } = await loadCatalog(bed.database, deriveSecretKey(ENCRYPTION_KEY), 1);
    return (catalog.channelsBySlug.get('gpt') ?? []).map(({ apiKeys }) => apiKeys);
  }

  it('are enabled and disabled by the file where it says so, and stay as they are where it does not', async () => {
    await apply('[sk-a, {key: sk-b, enabled: false}]');
    expect(await used()).toEqual([['sk-a']]);
    await apply('[sk-a, sk-b]');
    expect(await used()).toEqual([['sk-a']]);
    await apply('[{key: sk-a, enabled: false}, {key: sk-b}]');
    expect(await used()).toEqual([]);
    await apply('[{key: sk-a, enabled: true}, {key: sk-b, enabled: true}]');
    expect(await used()).toEqual([['sk-a', 'sk-b']]);
    await expect(apply('[{key: sk-a, enabled: maybe}]')).rejects.toThrow('channels[0].api_keys[0]');
  });
});

it('a key that is made for the file is shown once, at the terminal, and stands in no log', async () => {
  await writeFile(
    configPath,
    'admin: {email: a@example.com, password: a-good-password}\nwallets: [{name: acme}]\ntokens: [{name: made, wallet: acme}]\n',
  );
  const shown: MadeKey[] = [];
  for (let start = 0; start < 2; start++) {
    await bed.open({ configPath, onKeyMade: (made) => void shown.push(made) });
  }
  expect(shown).toMatchObject([{ wallet: 'acme', token: 'made', key: expect.stringMatching(/^sk-/) }]);
  const [{ key, path } = { key: '', path: '' }] = shown;
  expect(await readFile(path, 'utf8')).toBe(`${key}\n`);
  expect(bed.logged.join('\n')).not.toContain(key);
});
