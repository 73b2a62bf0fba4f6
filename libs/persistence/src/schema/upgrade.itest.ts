import { startTestServices, type TestServices } from '@mg/testkit';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../catalog/load-catalog.js';
import { migrateDatabase } from '../migrate-database.js';
import { WalletLedger } from '../money/wallet-ledger.js';
import { openDatabase } from '../open-database.js';
import { PLANE_ROLES, type PlaneName } from '../roles/plane-roles.js';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { MIGRATIONS } from './migrations.js';
import { ENCRYPTION_KEY, PreviousVersion } from './testing/previous-version.js';

const PREVIOUS = MIGRATIONS.slice(0, 4);
const PLANES = Object.keys(PLANE_ROLES) as PlaneName[];
const PASSWORD = 'password-of-every-plane';
const WRITERS = 4;
const SECRET_KEYS = ['sk-old-1', 'sk-old-2'];

let services: TestServices;
let old: DataSource;
let before: PreviousVersion;

/** As the version before made it and wrote into it. */
beforeAll(async () => {
  services = await startTestServices();
  old = new DataSource({
    type: 'postgres',
    url: services.databaseUrl,
    poolSize: WRITERS + 1,
    migrations: PREVIOUS,
    migrationsTransactionMode: 'each',
    extra: { statement_timeout: 30_000 },
  });
  await old.initialize();
  await old.runMigrations();
  before = await PreviousVersion.withData(old);
});

afterAll(async () => {
  await old.destroy();
  await services.stop();
});

/** The database as this version opens it. */
function openAsOwner(): Promise<DataSource> {
  return openDatabase({ url: services.databaseUrl, poolSize: 1, applicationName: 'upgrade-test' });
}

interface Traffic {
  readonly served: number;
  readonly failures: readonly string[];
  stop(): Promise<{ served: number; failures: string[] }>;
}

/** Lets the version before serve until it is stopped or fails; answers how often it did, and what failed. */
function serve(): Traffic {
  const stop = new AbortController();
  let served = 0;
  const failures: string[] = [];
  const loops = Array.from({ length: WRITERS }, async () => {
    while (!stop.signal.aborted) {
      await before.serveOnce().then(
        () => (served += 1),
        (error: unknown) => {
          failures.push(String(error));
          stop.abort();
        },
      );
    }
  });
  return {
    get served() {
      return served;
    },
    failures,
    async stop() {
      stop.abort();
      await Promise.all(loops);
      return { served, failures };
    },
  };
}

/** Waits until every writer was served again, twice on average, and nothing failed. */
async function seeServing(traffic: Traffic): Promise<void> {
  const enough = traffic.served + 2 * WRITERS;
  await expect
    .poll(() => traffic.served > enough || traffic.failures.length > 0, { timeout: 20_000 })
    .toBe(true);
  expect(traffic.failures).toEqual([]);
}

async function count(table: string): Promise<number> {
  const [row] = await old.query<{ count: string }[]>(`select count(*) from ${table}`);
  return Number(row?.count);
}

async function read(): Promise<Record<string, number>> {
  const tables = [
    'wallet',
    'hold',
    'entry',
    'usage_journal',
    'request_log',
    'task',
    'task_event',
    'task_order',
  ];
  const counts = await Promise.all(tables.map(async (table) => [table, await count(table)] as const));
  return Object.fromEntries(counts);
}

function migrate() {
  return migrateDatabase({
    url: services.databaseUrl,
    passwords: Object.fromEntries(PLANES.map((plane) => [plane, PASSWORD])),
    secretKey: deriveSecretKey(ENCRYPTION_KEY),
  });
}

describe('an upgrade of the version before', () => {
  it('waits for a long transaction without stopping the traffic behind it', async () => {
    const long = new Client({ connectionString: services.databaseUrl });
    await long.connect();
    await long.query('begin');
    await long.query(`update channel set weight = 2 where name = 'with-settings'`);
    const traffic = serve();
    const migrated = migrate();
    const isWaiting = async () => {
      const rows = await old.query<unknown[]>(
        `select 1 from pg_stat_activity where application_name = 'migrate' and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    };
    await expect.poll(isWaiting, { timeout: 20_000, interval: 20 }).toBe(true);
    expect(traffic.failures).toEqual([]);
    // It gives up its place in the queue again and again, so that who queued behind it is served.
    await seeServing(traffic);
    await long.query('commit');
    await long.end();
    expect((await migrated).missingRoles).toEqual([]);
    await seeServing(traffic);
    expect((await traffic.stop()).failures).toEqual([]);
  });

  it('loses nothing, and leaves the ledger balanced', async () => {
    const counts = await read();
    await migrate();
    expect(await read()).toEqual(counts);
    const owner = await openDatabase({
      url: services.databaseUrl,
      poolSize: 1,
      applicationName: 'upgrade-test',
    });
    expect(await new WalletLedger(owner).findDrift()).toEqual([]);
    const rows = await owner.query<{ id: string }[]>('select id from hold where id = any ($1::uuid[])', [
      before.requests,
    ]);
    expect(rows).toHaveLength(before.requests.length);
    await owner.destroy();
  });

  it.each(PLANES)('lets %s of this version in, under its own role', async (plane) => {
    const url = new URL(services.databaseUrl);
    url.username = PLANE_ROLES[plane];
    url.password = PASSWORD;
    const database = await openDatabase({ url: url.href, poolSize: 1, applicationName: 'upgrade-test' });
    expect(await database.query('select current_user as role')).toEqual([{ role: PLANE_ROLES[plane] }]);
    await database.destroy();
  });

  it('keeps every channel’s secrets, for gateways and, by name, for the console', async () => {
    const owner = await openAsOwner();
    const { catalog, problems } = await loadCatalog(owner, deriveSecretKey(ENCRYPTION_KEY), 1);
    expect(problems).toEqual([]);
    const channels = catalog.channelsBySlug.get(before.payer.model) ?? [];
    const shown = channels.map(({ name, apiKeys, settings }) => ({ name, apiKeys, settings }));
    expect(shown).toEqual([
      { name: 'keys-alone', apiKeys: ['sk-old-1', 'sk-old-2'], settings: {} },
      {
        name: 'with-settings',
        apiKeys: ['sk-old-1', 'sk-old-2'],
        settings: { region: 'us-east-1', secret_access_key: 'old-secret' },
      },
    ]);
    const parts = await owner.query(
      'select part, hints from channel_credential where channel_id = $1 order by 1',
      [before.channelIds[1]],
    );
    expect(parts).toEqual([
      { part: 'api_keys', hints: ['sk-...old'] },
      { part: 'settings.region', hints: [] },
      { part: 'settings.secret_access_key', hints: [] },
    ]);
    await owner.destroy();
  });

  it('seals every secret with a new key, once', async () => {
    const rotated = deriveSecretKey('another-key-of-the-upgrade-test-0001', ENCRYPTION_KEY);
    const run = () => migrateDatabase({ url: services.databaseUrl, passwords: {}, secretKey: rotated });
    expect((await run()).reencryptedSecrets).toBe(6);
    expect((await run()).reencryptedSecrets).toBe(0);
    const alone = deriveSecretKey('another-key-of-the-upgrade-test-0001');
    const owner = await openAsOwner();
    const { catalog, problems } = await loadCatalog(owner, alone, 1);
    await owner.destroy();
    expect(problems).toEqual([]);
    const channels = catalog.channelsBySlug.get(before.payer.model) ?? [];
    expect(channels.map(({ apiKeys }) => apiKeys)).toEqual([SECRET_KEYS, SECRET_KEYS]);
  });

  it('lets the version before serve on, as long as somebody runs it', async () => {
    for (let turn = 0; turn < 3; turn += 1) await before.serveOnce();
    expect(await count('task_order')).toBeGreaterThan(0);
  });
});
