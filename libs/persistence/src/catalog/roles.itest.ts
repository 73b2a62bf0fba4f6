import { seedPayer, startTestServices, type Payer, type TestServices } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateDatabase } from '../migrate-database.js';
import { openDatabase } from '../open-database.js';
import { PLANE_ROLES } from '../roles/plane-roles.js';
import { API_KEYS, sealCredential } from '../secrets/channel-credentials.js';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { findCallerToken } from './find-caller-token.js';
import { loadCatalog } from './load-catalog.js';
import { loadChannel } from './load-channel.js';
import { loadModel } from './load-model.js';

const PASSWORD = 'password-of-the-role';
const KEY = deriveSecretKey('encryption-key-of-the-catalog-test');

let services: TestServices;
let owner: DataSource;
let payer: Payer;
let channelId: string;

beforeAll(async () => {
  services = await startTestServices();
  const passwords = { gateway: PASSWORD, 'video-worker': PASSWORD };
  await migrateDatabase({ url: services.databaseUrl, passwords });
  owner = await openDatabase({ url: services.databaseUrl, poolSize: 1, applicationName: 'catalog-test' });
  payer = await seedPayer(owner, { balance: 1n });
  channelId = payer.walletId;
  await owner.query(`insert into channel (id, name, type, models) values ($1, 'one', 'openai', $2)`, [
    channelId,
    JSON.stringify({ [payer.model]: 'upstream' }),
  ]);
  const credential = sealCredential(API_KEYS, ['sk-upstream'], channelId, KEY);
  await owner.query('select channel_credentials_write($1, $2)', [channelId, JSON.stringify([credential])]);
});

afterAll(async () => {
  await owner.destroy();
  await services.stop();
});

async function openAs(plane: 'gateway' | 'video-worker'): Promise<DataSource> {
  const url = new URL(services.databaseUrl);
  url.username = PLANE_ROLES[plane];
  url.password = PASSWORD;
  return openDatabase({ url: url.href, poolSize: 1, applicationName: 'catalog-test' });
}

it.each(['gateway', 'video-worker'] as const)(
  'the role of %s reads the catalog and channels',
  async (plane) => {
    const database = await openAs(plane);
    const { catalog, problems } = await loadCatalog(database, KEY, 1);
    expect(problems).toEqual([]);
    expect(catalog.channelsBySlug.get(payer.model)).toMatchObject([
      { name: 'one', apiKeys: ['sk-upstream'] },
    ]);
    expect(await loadChannel(database, KEY, channelId)).toMatchObject({ name: 'one' });
    expect(await loadModel(database, payer.model)).toEqual(catalog.models.get(payer.model));
    await database.destroy();
  },
);

it('the role of gateway finds the token of a key, whose calls belong to the owner of its wallet', async () => {
  const database = await openAs('gateway');
  const [row] = await owner.query<{ key_hash: string }[]>('select key_hash from token where id = $1', [
    payer.tokenId,
  ]);
  const keyHash = row?.key_hash ?? '';
  const expected = { id: payer.tokenId, walletId: payer.walletId, userId: payer.userId, disabled: false };
  expect(await findCallerToken(database, keyHash)).toMatchObject(expected);
  await owner.query('update wallet set user_id = $2 where id = $1', [payer.walletId, payer.userId]);
  await owner.query('update app_user set disabled = true where id = $1', [payer.userId]);
  expect(await findCallerToken(database, keyHash)).toMatchObject({ ...expected, disabled: true });
  expect(await findCallerToken(database, 'unknown')).toBeUndefined();
  await database.destroy();
});
