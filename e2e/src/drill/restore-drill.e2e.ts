import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedService, startEmbeddedRedis } from '@mg/embedded';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient, type WalletRow } from '../clients/console-client.js';
import { ADMIN, KEYS } from '../deployment/credentials.js';
import { waitForModel } from '../deployment/knows-model.js';
import { PlaneProcess } from '../deployment/plane-process.js';
import { type Preparation, prepareDeployment } from '../deployment/prepare.js';
import { writeSmallConfiguration } from '../deployment/small-configuration.js';
import { waitUntil } from '../wait-until.js';
import {
  archiveEverything,
  type BackupPlan,
  loseServer,
  restoreServer,
  startArchivedPostgres,
  takeBaseBackup,
} from './archived-postgres.js';

const CALLS = Number(process.env.DRILL_CALLS ?? 20);
const READY_WITHIN_MS = 180_000;
const SETTLED_WITHIN_MS = 60_000;
const TIMEOUT_MS = 600_000;
const PLANES = ['billing', 'console', 'gateway', 'video-worker'] as const;

/** A wallet's name, balance and what is held, and the sums of what callers have used. */
interface Books {
  readonly wallets: readonly Pick<WalletRow, 'name' | 'balance' | 'held'>[];
  readonly entries: string;
  readonly calls: string;
  readonly videos: string;
}

let preparation: Preparation;
let planes: PlaneProcess[] = [];
let services: EmbeddedService[] = [];

beforeAll(async () => {
  preparation = await prepareDeployment();
  const chatUrl = `${preparation.upstream.url}/`;
  await preparation.writeConfiguration(
    writeSmallConfiguration({ chatUrl, videoUrl: `${preparation.jobs.url}/` }),
  );
});

afterAll(async () => {
  await stopPlanes();
  await Promise.all(services.map((service) => service.stop()));
  await preparation.cleanUp();
});

async function startPlanes(
  postgresUrl: string,
  redisUrl: string,
  own: Record<string, string> = {},
): Promise<void> {
  const { variables, billingUrl, consoleUrl, gatewayUrl, videoWorkerUrl } = preparation;
  const urls = {
    billing: billingUrl,
    console: consoleUrl,
    gateway: gatewayUrl,
    'video-worker': videoWorkerUrl,
  };
  const environment = {
    ...variables,
    DATABASE_URL: postgresUrl,
    REDIS_URL: redisUrl,
    LOG_LEVEL: 'warn',
    ...own,
  };
  planes = PLANES.map((plane) => new PlaneProcess(plane, environment, `${urls[plane]}/readyz`));
  await Promise.all(planes.map((plane) => plane.waitUntilReady(READY_WITHIN_MS)));
  await waitForModel(gatewayUrl, 'plain');
}

async function stopPlanes(): Promise<void> {
  await Promise.all(planes.splice(0).map((plane) => plane.stop()));
}

function post(path: string, body: object): Promise<Response> {
  return fetch(`${preparation.gatewayUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Chats, streamed and not, and a video: what a caller has answers for is charged. */
async function spend(): Promise<void> {
  for (let call = 0; call < CALLS; call++) {
    const body = {
      model: 'plain',
      stream: call % 2 === 0,
      messages: [{ role: 'user', content: `call ${call}` }],
    };
    const answer = await post('/v1/chat/completions', body);
    await answer.text();
    expect(answer.status).toBe(200);
  }
  const video = await post('/v1/video/generations', { model: 'film', prompt: 'a drill', duration: 5 });
  expect(video.status).toBe(200);
}

function login(): Promise<ConsoleClient> {
  return ConsoleClient.login({ consoleUrl: preparation.consoleUrl }, ADMIN);
}

/** The ledger, once nothing is in progress any more. */
async function readBooks(databaseUrl: string): Promise<Books> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const count = async (sql: string) => (await client.query<{ count: string }>(sql)).rows[0]?.count ?? '';
    await waitUntil(
      'nothing is in progress',
      async () =>
        (await count('select count(*) from wallet where held > 0')) === '0' &&
        (await count('select count(*) from task where finished_at is null')) === '0' &&
        (await count('select count(*) from usage_journal where posted_at is null')) === '0',
      SETTLED_WITHIN_MS,
    );
    expect((await client.query('select * from money_drift()')).rows).toEqual([]);
    const wallets = await (await login()).list<WalletRow>('/wallets');
    return {
      wallets: wallets.map(({ name, balance, held }) => ({ name, balance, held })),
      entries: await count('select count(*) from entry'),
      calls: await count('select count(*) from request_log'),
      videos: await count(`select count(*) from task where state = 'succeeded'`),
    };
  } finally {
    await client.end();
  }
}

describe('a lost database', () => {
  it(
    'comes back from a base backup and the archived log with every cent, key and login',
    async () => {
      const { directory } = preparation;
      const plan: BackupPlan = { directory: join(directory, 'lost'), backup: join(directory, 'backup') };
      mkdirSync(plan.backup);
      const postgres = await startArchivedPostgres(plan);
      const redis = await startEmbeddedRedis({ directory: join(directory, 'redis') });
      services = [postgres, redis];
      await startPlanes(postgres.url, redis.url);
      await spend();
      await takeBaseBackup(postgres.url, plan);

      // What comes after the base backup is in the archived log alone.
      await spend();
      const console = await login();
      const { id } = await console.findWallet('main');
      await console.demand('POST', `/wallets/${id}/topups`, {
        amount: '7.25',
        note: 'drill',
        idempotency_key: 'drill',
      });
      const before = await readBooks(postgres.url);
      expect(before.videos).toBe('2');
      await archiveEverything(postgres.url, plan);
      await loseServer(postgres, plan);
      await stopPlanes();
      await redis.stop();

      const restored = await restoreServer(join(directory, 'restored'), plan.backup);
      const emptyRedis = await startEmbeddedRedis({ directory: join(directory, 'empty-redis') });
      services = [restored, emptyRedis];
      // Without the configuration file: whatever works now has come from the backup, sealed keys by ENCRYPTION_KEY.
      await startPlanes(restored.url, emptyRedis.url, { GATEWAY_CONFIG: '' });
      expect(await readBooks(restored.url)).toEqual(before);
      expect((await console.call('GET', '/me')).status).toBe(200);
      await spend();
      const after = await readBooks(restored.url);
      expect(after.videos).toBe('3');
      expect(Number(after.calls)).toBe(Number(before.calls) + CALLS + 1);
    },
    TIMEOUT_MS,
  );
});
