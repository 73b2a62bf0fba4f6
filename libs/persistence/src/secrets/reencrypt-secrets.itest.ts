import { newId } from '@mg/contract';
import { seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadChannel } from '../catalog/load-channel.js';
import { openBody, sealBody, writeCapturedBodies } from '../capture/captured-bodies.js';
import { migrateDatabase } from '../migrate-database.js';
import { StoredResponses } from '../responses/stored-responses.js';
import { openObjectKey, sealObjectKey } from '../files/file-objects.js';
import { measureTexts } from '../testing/measure-texts.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { API_KEYS, sealCredential, toSettingPart } from './channel-credentials.js';
import { reencryptBodies } from './reencrypt-bodies.js';
import { deriveSecretKey, sealSecret, SecretError } from './seal-secret.js';
import { openAlertAddress, sealAlertAddress } from './alert-addresses.js';
import { REENCRYPTED_COLUMNS } from './reencrypt-secrets.js';
import { openTotpSecret, sealTotpSecret } from './totp-secrets.js';
import { writeCredentials } from './write-credentials.js';

const OLD = 'an encryption key of more than 32 characters';
const NEW = 'another encryption key of more than 32 characters';
const SECRETS = { apiKeys: ['sk-1', 'sk-2'], settings: { secret_access_key: 'secret' } };

let test: TestDatabase;
let database: DataSource;
beforeAll(async () => {
  test = await openTestDatabase(2);
  ({ database } = test);
});
afterAll(() => test.stop());

/** A channel whose credentials lie in both forms, as after an upgrade. */
async function makeChannel(encryptionKey: string): Promise<string> {
  const id = newId();
  const key = deriveSecretKey(encryptionKey);
  await database.query(`insert into channel (id, name, type) values ($1, $2, 'bedrock')`, [id, id]);
  const whole = sealSecret(JSON.stringify({ keys: SECRETS.apiKeys, settings: SECRETS.settings }), id, key);
  await database.query(
    `insert into channel_secret (channel_id, sealed_keys, hints) values ($1, $2, '{sk-...}')`,
    [id, whole],
  );
  const parts = [
    sealCredential(API_KEYS, SECRETS.apiKeys, id, key),
    sealCredential(toSettingPart('secret_access_key'), SECRETS.settings.secret_access_key, id, key),
  ];
  await writeCredentials(database.manager, id, parts, ['sk-...1', 'sk-...2']);
  return id;
}

async function open(channelId: string, encryptionKey: string, previous?: string) {
  return loadChannel(database, deriveSecretKey(encryptionKey, previous), channelId);
}

function rotate(): Promise<{ reencryptedSecrets: number }> {
  return migrateDatabase({
    url: test.url,
    passwords: {},
    secretKey: deriveSecretKey(NEW, OLD),
  });
}

describe('a rotated ENCRYPTION_KEY', () => {
  it('opens what the previous one sealed, and re-encrypts it with the new one', async () => {
    const id = await makeChannel(OLD);
    expect(await open(id, NEW, OLD)).toMatchObject(SECRETS);
    await expect(open(id, NEW)).rejects.toThrow(SecretError);

    expect(await rotate()).toMatchObject({ reencryptedSecrets: 3 });
    expect(await open(id, NEW)).toMatchObject(SECRETS);
    await expect(open(id, OLD)).rejects.toThrow(SecretError);
    const [keys] = await database.query<{ hints: string[] }[]>(
      'select hints from channel_credential where channel_id = $1 and part = $2',
      [id, API_KEYS],
    );
    expect(keys?.hints).toEqual(['sk-...1', 'sk-...2']);
    expect(await rotate()).toMatchObject({ reencryptedSecrets: 0 });
  });

  it('leaves alone what is sealed with neither key, and re-encrypts the rest', async () => {
    const [lost, ours] = [await makeChannel('a key that nobody has any more'), await makeChannel(OLD)];
    expect(await rotate()).toMatchObject({ reencryptedSecrets: 3 });
    expect(await open(ours, NEW)).toMatchObject(SECRETS);
    expect(await open(lost, 'a key that nobody has any more')).toMatchObject(SECRETS);
  });

  it('re-encrypts where alerts go', async () => {
    const url = 'smtps://user:password@mail.example.com';
    const sealed = sealAlertAddress('smtp_url', url, deriveSecretKey(OLD));
    await database.query('update alert_setting set smtp_sealed = $1', [sealed]);
    await rotate();
    const [row] = await database.query<{ smtp_sealed: string }[]>('select smtp_sealed from alert_setting');
    const stored = row?.smtp_sealed ?? '';
    expect(openAlertAddress('smtp_url', stored, deriveSecretKey(NEW))).toBe(url);
    expect(() => openAlertAddress('webhook_url', stored, deriveSecretKey(NEW))).toThrow(SecretError);
  });

  it('re-encrypts captured bodies and stored responses, also many, and leaves those of neither key', async () => {
    const { walletId, tokenId } = await seedPayer(database, { balance: 1n });
    const [old, current, lost] = [OLD, NEW, 'a key that nobody has any more'].map((key) =>
      deriveSecretKey(key),
    );
    const before = new StoredResponses(database, old!);
    const turn = { previousId: undefined, itemIds: [], input: ['asked'], response: 'answered' };
    for (let made = 0; made < 20; made++) await before.keep(walletId, { ...turn, id: `resp_${made}` });
    await new StoredResponses(database, lost!).keep(walletId, { ...turn, id: 'resp_lost' });
    const places = (['request', 'response'] as const).map((part) => ({ requestId: newId(), part }));
    const body = { tokenId, contentType: 'text/plain', bytes: 4, truncated: false };
    const expiresAt = new Date(Date.now() + 60_000);
    await writeCapturedBodies(
      database,
      places.map((place) => ({ ...body, ...place, expiresAt, sealed: sealBody('body', place, old!) })),
    );

    expect(await rotate()).toMatchObject({ reencryptedSecrets: 22 });
    const after = new StoredResponses(database, current!);
    for (let made = 0; made < 20; made++) {
      expect(await after.find(walletId, `resp_${made}`)).toMatchObject({ response: 'answered' });
    }
    const rows = await database.query<{ request_id: string; part: 'request'; sealed: string }[]>(
      'select request_id, part, sealed from captured_body',
    );
    const texts = rows.map(({ request_id: requestId, part, sealed }) =>
      openBody(sealed, { requestId, part }, current!),
    );
    expect(texts).toEqual(['body', 'body']);
    expect(await new StoredResponses(database, lost!).find(walletId, 'resp_lost')).toBeDefined();
    expect(await rotate()).toMatchObject({ reencryptedSecrets: 0 });
  });

  it('re-encrypts texts of megabytes, which reach the database as bytes and come from it in parts', async () => {
    const { walletId } = await seedPayer(database, { balance: 1n });
    const input = ['x'.repeat(2_000_000)];
    const turn = { id: 'resp_of_megabytes', previousId: undefined, itemIds: [], input, response: 'answered' };
    await new StoredResponses(database, deriveSecretKey(OLD)).keep(walletId, turn);
    const { longest } = await measureTexts(database, () =>
      reencryptBodies(database, deriveSecretKey(NEW, OLD)),
    );
    const after = new StoredResponses(database, deriveSecretKey(NEW));
    expect(await after.find(walletId, turn.id)).toMatchObject({ input, response: 'answered' });
    expect(longest).toBeLessThanOrEqual(256 * 1024);
  });

  it('re-encrypts the keys of files in the result store, whose objects stay as they are', async () => {
    const owner = { walletId: newId(), fileId: 'file-1' };
    const bytes = Buffer.alloc(32, 'k');
    const sealed = sealObjectKey(bytes, owner, deriveSecretKey(OLD));
    await database.query(
      `insert into stored_file (wallet_id, id, purpose, filename, bytes, expires_at, object_name, sealed_key)
       values ($1, $2, '', '', 0, now(), 'file_1.sealed', $3)`,
      [owner.walletId, owner.fileId, sealed],
    );
    await rotate();
    const [row] = await database.query<{ sealed_key: string }[]>(
      'select sealed_key from stored_file where wallet_id = $1',
      [owner.walletId],
    );
    expect(openObjectKey(row?.sealed_key ?? '', owner, deriveSecretKey(NEW))).toEqual(bytes);
  });

  it('forgets no encrypted column of the schema', async () => {
    const columns = await database.query<{ name: string }[]>(
      `select c.relname || '.' || a.attname as name
         from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and a.attname like '%sealed%' and not a.attisdropped order by 1`,
    );
    expect(columns.map(({ name }) => name)).toEqual(REENCRYPTED_COLUMNS.toSorted());
  });

  it('re-encrypts the second factors of users, each for its user alone', async () => {
    const id = newId();
    await database.query(
      `insert into app_user (id, email, name, password_hash, role) values ($1, $2, '', 'x', 'member')`,
      [id, `${id}@example.com`],
    );
    const sealed = sealTotpSecret(id, 'JBSWY3DPEHPK3PXP', deriveSecretKey(OLD));
    await database.query('insert into user_totp (user_id, sealed) values ($1, $2)', [id, sealed]);
    await rotate();
    const [row] = await database.query<{ sealed: string }[]>(
      'select sealed from user_totp where user_id = $1',
      [id],
    );
    const stored = row?.sealed ?? '';
    expect(openTotpSecret(id, stored, deriveSecretKey(NEW))).toBe('JBSWY3DPEHPK3PXP');
    expect(() => openTotpSecret(newId(), stored, deriveSecretKey(NEW))).toThrow(SecretError);
  });

  it('keeps what is stored at the same moment', async () => {
    const id = await makeChannel(OLD);
    const newer = sealCredential(API_KEYS, ['sk-3'], id, deriveSecretKey(NEW));
    await Promise.all([rotate(), writeCredentials(database.manager, id, [newer], ['sk-...3'])]);
    expect(await open(id, NEW)).toMatchObject({ ...SECRETS, apiKeys: ['sk-3'] });
  });
});
