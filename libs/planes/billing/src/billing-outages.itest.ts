import { GatewayError, NO_USAGE, readEnvironment } from '@mg/contract';
import { openDatabase, WalletLedger } from '@mg/persistence/billing';
import { writeJournal } from '@mg/persistence/gateway';
import { createLogger, type RunningPlane } from '@mg/runtime';
import {
  buildHoldRequest,
  type TcpProxy,
  createTcpProxy,
  type Payer,
  seedPayer,
  startTestServices,
  type TestServices,
  watchSlowness,
} from '@mg/testkit';
import { type BillingClient, createBillingClient } from '@mg/transport';
import type { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBillingPlane } from './start-billing-plane.js';
import { openRedisScope } from './testing/open-redis-scope.js';

const UNIT = 100_000_000n;
const WITHIN = { timeout: 30_000, interval: 20 };

let services: TestServices;
let database: DataSource;
let ledger: WalletLedger;
let payer: Payer;
let toPostgres: TcpProxy;
let toRedis: TcpProxy;
let plane: RunningPlane | undefined;
let client: BillingClient;

beforeAll(async () => {
  services = await startTestServices();
  database = await openDatabase({ url: services.databaseUrl, poolSize: 4, applicationName: 'outage-test' });
  ledger = new WalletLedger(database);
});

beforeEach(async () => {
  toPostgres = await createTcpProxy(services.databaseUrl);
  toRedis = await createTcpProxy(services.redisUrl);
  client = createBillingClient({ redis: await openRedisScope(database, toRedis.url) });
  payer = await seedPayer(database, { balance: 1_000n * UNIT, price: { per_request: '0.1' } });
});

afterEach(async () => {
  await client.close();
  await plane?.close();
  plane = undefined;
  await toPostgres.close();
  await toRedis.close();
});

afterAll(async () => {
  await database.destroy();
  await services.stop();
});

async function start(): Promise<RunningPlane> {
  const environment = readEnvironment({
    HOST: '127.0.0.1',
    BILLING_PORT: '0',
    DATABASE_URL: toPostgres.url,
    REDIS_URL: toRedis.url,
  });
  plane = await startBillingPlane({ environment, logger: createLogger({ plane: 'test', level: 'silent' }) });
  return plane;
}

async function countHolds(): Promise<number> {
  const [row] = await database.query('select count(*)::int as count from hold where token_id = $1', [
    payer.tokenId,
  ]);
  return row.count;
}

const readyStatus = async (address: string | undefined) => (await fetch(`${address}/readyz`)).status;

const PROMPT_REFUSAL = { code: 'service_unavailable', status: 503, inTime: true };

/** How a question failed, and whether that was within two seconds. */
async function failureOf(question: Promise<unknown>): Promise<unknown> {
  const readSlowness = watchSlowness();
  const started = performance.now();
  const error = await question.then(
    () => new Error('was answered'),
    (reason: GatewayError) => reason,
  );
  const inTime = performance.now() - started < 2_000 * readSlowness();
  return error instanceof GatewayError ? { code: error.code, status: error.status, inTime } : error;
}

describe('billing that is away', () => {
  it('is reported within two seconds, whether it never ran or has gone', async () => {
    expect(await failureOf(client.openHold(buildHoldRequest(payer)))).toEqual(PROMPT_REFUSAL);
    await start();
    await client.ping();
    await plane?.close();
    plane = undefined;
    expect(await failureOf(client.openHold(buildHoldRequest(payer)))).toEqual(PROMPT_REFUSAL);
  });

  it('is reported within two seconds when Redis is away', async () => {
    await toRedis.cut();
    expect(await failureOf(client.ping())).toEqual(PROMPT_REFUSAL);
    await toRedis.mend();
  });

  it('is waited for while it restarts quickly', async () => {
    const outcome = client.openHold(buildHoldRequest(payer));
    await start();
    expect(await outcome).toEqual({ granted: UNIT });
  });
});

describe('billing whose line is cut', () => {
  it('to Redis, says so, comes back by itself and has lost nothing', async () => {
    const { address } = await start();
    await client.ping();
    await toRedis.cut();
    await vi.waitFor(async () => expect(await readyStatus(address)).toBe(503), WITHIN);
    expect(await failureOf(client.openHold(buildHoldRequest(payer)))).toEqual(PROMPT_REFUSAL);
    await toRedis.mend();
    await vi.waitFor(async () => expect(await readyStatus(address)).toBe(200), WITHIN);
    await vi.waitFor(
      async () => expect(await client.openHold(buildHoldRequest(payer))).toEqual({ granted: UNIT }),
      WITHIN,
    );
  });

  it('to Postgres, says so, comes back by itself and posts what was written meanwhile', async () => {
    const { address } = await start();
    const request = buildHoldRequest(payer);
    await client.openHold(request);
    await toPostgres.cut();
    await vi.waitFor(async () => expect(await readyStatus(address)).toBe(503), WITHIN);
    expect(await failureOf(client.openHold(buildHoldRequest(payer)))).toEqual(PROMPT_REFUSAL);
    await writeJournal(database, [
      { requestId: request.id, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false },
    ]);
    await toPostgres.mend();
    await vi.waitFor(async () => expect(await readyStatus(address)).toBe(200), WITHIN);
    await vi.waitFor(async () => {
      const [hold] = await database.query('select state from hold where id = $1', [request.id]);
      expect(hold.state).toBe('posted');
    }, WITHIN);
    expect(await client.openHold(buildHoldRequest(payer))).toEqual({ granted: UNIT });
  });
});

describe('billing that is stopped', () => {
  it('answers what it has taken: every question is granted or refused as unavailable, and no hold is left over', async () => {
    await start();
    await client.ping();
    const requests = Array.from({ length: 300 }, () => buildHoldRequest(payer, { wanted: 1n, minimum: 1n }));
    const outcomes = Promise.allSettled(requests.map((request) => client.openHold(request)));
    await vi.waitFor(async () => expect(await countHolds()).toBeGreaterThan(0), WITHIN);
    await plane?.close();
    plane = undefined;
    const granted = (await outcomes).filter((outcome) => outcome.status === 'fulfilled').length;
    expect(granted).toBe(await countHolds());
  });

  it('posts what is in the journal before it goes', async () => {
    await start();
    const request = buildHoldRequest(payer);
    await client.openHold(request);
    await writeJournal(database, [
      { requestId: request.id, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false },
    ]);
    await plane?.close();
    plane = undefined;
    const [hold] = await database.query('select state from hold where id = $1', [request.id]);
    expect(hold.state).toBe('posted');
  });

  it.each([
    ['Redis goes', () => [toRedis]],
    ['Postgres goes', () => [toPostgres]],
    ['both go', () => [toRedis, toPostgres]],
  ])('stops in time when %s in the same moment, under load', async (_what, listLines) => {
    await start();
    await client.ping();
    const asking = Array.from({ length: 200 }, () =>
      client.openHold(buildHoldRequest(payer, { wanted: 1n, minimum: 1n })),
    );
    const asked = Promise.allSettled(asking);
    const readSlowness = watchSlowness();
    const startedMs = performance.now();
    await Promise.all([...listLines().map((line) => line.cut()), plane?.close()]);
    plane = undefined;
    expect(performance.now() - startedMs).toBeLessThan(10_000 * readSlowness());
    await asked;
  });

  it('explains in a sentence why it cannot start', async () => {
    await toRedis.cut();
    await expect(start()).rejects.toThrow('REDIS_URL');
    await toRedis.mend();
  });

  it('leaves the ledger balanced', async () => {
    expect(await ledger.findDrift()).toEqual([]);
  });
});
