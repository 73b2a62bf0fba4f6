import { createHash } from 'node:crypto';
import {
  deriveSecretKey,
  MIGRATIONS,
  PLANE_ROLES,
  type PlaneName,
  sealSecret,
} from '@mg/persistence/migrate';
import {
  type FakeUpstream,
  findFreePorts,
  type Payer,
  seedPayer,
  startFakeUpstream,
  startTestServices,
  type TestServices,
} from '@mg/testkit';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLANE_PASSWORDS, PROVIDER_KEYS, SECRETS } from './deployment/credentials.js';
import { PlaneProcess } from './deployment/plane-process.js';
import { runMigrate } from './deployment/run-migrate.js';
import { waitUntil } from './wait-until.js';

const PREVIOUS = MIGRATIONS.slice(0, 4);
const PLANES = ['billing', 'gateway', 'console', 'video-worker'] as const satisfies PlaneName[];
const API_KEY = 'sk-of-the-version-before';
const CHANNEL_ID = '00000000-0000-8000-8000-000000000001';
const READY_WITHIN_MS = 180_000;

let services: TestServices;
let upstream: FakeUpstream;
let database: Client;
let payer: Payer;
let planes: PlaneProcess[];
let gatewayUrl: string;

/** A database as the version before made it, with a wallet, a key and a channel. */
async function makePreviousDatabase(): Promise<void> {
  await database.query(
    'create table migrations (id serial primary key, timestamp bigint not null, name varchar not null)',
  );
  const query = async (sql: string) => (await database.query(sql)).rows;
  for (const Migration of PREVIOUS) {
    const migration = new Migration();
    await migration.up({ query } as unknown as Parameters<typeof migration.up>[0]);
    await database.query('insert into migrations (timestamp, name) values ($1, $2)', [
      migration.name.slice(-13),
      migration.name,
    ]);
  }
  payer = await seedPayer(database, { balance: 1_000_000_000n });
  await database.query('update token set key_hash = $2 where id = $1', [
    payer.tokenId,
    createHash('sha256').update(API_KEY).digest('hex'),
  ]);
  await database.query(
    `insert into channel (id, name, type, base_url, models) values ($1, 'before', 'openai-compatible', $2, $3)`,
    [CHANNEL_ID, `${upstream.url}/v1`, JSON.stringify({ [payer.model]: 'plain' })],
  );
  await database.query(
    `insert into channel_secret (channel_id, sealed_keys, hints) values ($1, $2, '{sk-...}')`,
    [CHANNEL_ID, sealSecret(JSON.stringify(PROVIDER_KEYS), CHANNEL_ID, deriveSecretKey(SECRETS.encryption))],
  );
}

beforeAll(async () => {
  services = await startTestServices();
  upstream = await startFakeUpstream({ acceptedKeys: PROVIDER_KEYS });
  database = new Client({ connectionString: services.databaseUrl });
  database.on('error', () => undefined);
  await database.connect();
  await makePreviousDatabase();
  const ports = await findFreePorts(PLANES.length);
  planes = PLANES.map((plane, index) => {
    const url = new URL(services.databaseUrl);
    url.username = PLANE_ROLES[plane];
    url.password = PLANE_PASSWORDS[plane];
    const variables = {
      HOST: '127.0.0.1',
      [`${plane.toUpperCase().replace('-', '_')}_PORT`]: String(ports[index]),
      DATABASE_URL: url.href,
      REDIS_URL: services.redisUrl,
      ENCRYPTION_KEY: SECRETS.encryption,
      JWT_SECRET: SECRETS.jwt,
      INSTANCE_ID: `upgrade-${plane}`,
    };
    return new PlaneProcess(plane, variables, `http://127.0.0.1:${ports[index]}/readyz`);
  });
  gatewayUrl = `http://127.0.0.1:${ports[PLANES.indexOf('gateway')]}`;
});

afterAll(async () => {
  await Promise.all(planes.map((plane) => plane.stop()));
  await database.end();
  await upstream.close();
  await services.stop();
});

describe('planes on a database of the version before', () => {
  it('wait for migrate, and serve with the keys, prices and credentials that were there', async () => {
    await waitUntil(
      'every plane says that it waits',
      () => planes.every((plane) => plane.readOutput().includes('is waiting')),
      READY_WITHIN_MS,
    );
    const output = await runMigrate({
      DATABASE_URL: services.databaseUrl,
      ENCRYPTION_KEY: SECRETS.encryption,
      GATEWAY_DATABASE_PASSWORD: PLANE_PASSWORDS.gateway,
      BILLING_DATABASE_PASSWORD: PLANE_PASSWORDS.billing,
      VIDEO_WORKER_DATABASE_PASSWORD: PLANE_PASSWORDS['video-worker'],
      CONSOLE_DATABASE_PASSWORD: PLANE_PASSWORDS.console,
    });
    expect(output).toContain('the database is up to date');
    await Promise.all(planes.map((plane) => plane.waitUntilReady(READY_WITHIN_MS)));

    const answer = await fetch(`${gatewayUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` },
      body: JSON.stringify({ model: payer.model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { object: 'chat.completion' }]);
    await waitUntil('the call is charged', async () => {
      const { rows } = await database.query('select balance, held from wallet where id = $1', [
        payer.walletId,
      ]);
      return rows[0].balance === '900000000' && rows[0].held === '0';
    });
    expect((await database.query('select * from money_drift()')).rows).toEqual([]);
  });

  it('stop in good order', async () => {
    expect(await Promise.all(planes.map((plane) => plane.stop()))).toEqual(PLANES.map(() => 0));
  });
});
