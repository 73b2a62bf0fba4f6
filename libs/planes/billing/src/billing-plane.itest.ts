import { randomUUID } from 'node:crypto';
import { type HoldOutcome, newId, NO_USAGE, readEnvironment } from '@mg/contract';
import { openDatabase, WalletLedger } from '@mg/persistence/billing';
import { writeJournal } from '@mg/persistence/gateway';
import { migrateDatabase, PLANE_ROLES } from '@mg/persistence/migrate';
import { createLogger, type RunningPlane } from '@mg/runtime';
import {
  buildHoldRequest,
  type Payer,
  seedPayer,
  startTestServices,
  type TestServices,
  watchSlowness,
} from '@mg/testkit';
import { type BillingClient, createBillingClient, type RedisScope } from '@mg/transport';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startBillingPlane } from './start-billing-plane.js';
import { askInCrowd } from './testing/ask-in-crowd.js';
import { openRedisScope } from './testing/open-redis-scope.js';

const UNIT = 100_000_000n;
const WITHIN = { timeout: 30_000, interval: 5 };

const ROLE_PASSWORD = 'password-of-the-billing-role';

let services: TestServices;
let database: DataSource;
let ledger: WalletLedger;
let planes: RunningPlane[];
let clients: BillingClient[];
let scope: RedisScope;

beforeAll(async () => {
  services = await startTestServices();
  await migrateDatabase({ url: services.databaseUrl, passwords: { billing: ROLE_PASSWORD } });
  planes = [await startPlane(), await startPlane()];
  database = await openDatabase({ url: services.databaseUrl, poolSize: 4, applicationName: 'billing-test' });
  scope = await openRedisScope(database, services.redisUrl);
  clients = [1, 2, 3].map(() => createBillingClient({ redis: scope }));
  ledger = new WalletLedger(database);
  await Promise.all(clients.map((client) => client.ping()));
});

afterAll(async () => {
  for (const client of clients) await client.close();
  for (const plane of planes) await plane.close();
  await database.destroy();
  await services.stop();
});

/** A plane with the rights of billing's own role. */
function startPlane(): Promise<RunningPlane> {
  const url = new URL(services.databaseUrl);
  url.username = PLANE_ROLES.billing;
  url.password = ROLE_PASSWORD;
  const environment = readEnvironment({
    HOST: '127.0.0.1',
    BILLING_PORT: '0',
    DATABASE_URL: url.href,
    REDIS_URL: services.redisUrl,
    METRICS_ENABLED: 'true',
  });
  return startBillingPlane({ environment, logger: createLogger({ plane: 'test', level: 'silent' }) });
}

const anyClient = (index = 0): BillingClient => clients[index % clients.length] as BillingClient;

/** Sum of a metric over both planes. */
async function readMetric(name: string): Promise<number> {
  let sum = 0;
  for (const plane of planes) {
    const text = await (await fetch(`${plane.address}/metrics`)).text();
    for (const line of text.split('\n')) {
      if (line.startsWith(`${name}{`)) sum += Number(line.split(' ').at(-1));
    }
  }
  return sum;
}

async function readWallet(payer: Payer): Promise<{ balance: string; held: string }> {
  const [wallet] = await database.query('select balance, held from wallet where id = $1', [payer.walletId]);
  return wallet;
}

const isGranted = (outcome: HoldOutcome) => 'granted' in outcome;

describe('holds through the transport', () => {
  it.each([
    ['the wallet', { balance: 10n * UNIT }, 'insufficient_balance'],
    ['the token quota', { balance: 900n * UNIT, quota: 10n * UNIT }, 'quota_exceeded'],
  ] as const)(
    'pass exactly as far as %s goes: 50 at once, three clients, two planes',
    async (_name, options, refusal) => {
      const payer = await seedPayer(database, options);
      const requests = Array.from({ length: 50 }, () => buildHoldRequest(payer));
      const outcomes = await Promise.all(
        requests.map((request, index) => askInCrowd(() => anyClient(index).openHold(request))),
      );
      expect(outcomes.filter(isGranted)).toHaveLength(10);
      expect(outcomes.filter((outcome) => 'refused' in outcome && outcome.refused === refusal)).toHaveLength(
        40,
      );
    },
  );

  it('are opened once when a question is asked again and again', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const request = buildHoldRequest(payer);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => askInCrowd(() => anyClient(index).openHold(request))),
    );
    expect(outcomes.every(isGranted)).toBe(true);
    expect((await readWallet(payer)).held).toBe(UNIT.toString());
  });

  it('pass one after the other exactly as far as the money goes, though each holds more than it costs', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT, price: { per_request: '0.1' } });
    for (let call = 1; call <= 10; call++) {
      const remaining = BigInt(11 - call) * UNIT;
      const request = buildHoldRequest(payer, { wanted: remaining, minimum: remaining });
      expect(await anyClient(call).openHold(request)).toEqual({ granted: remaining });
      await writeJournal(database, [
        { requestId: request.id, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false },
      ]);
    }
    expect(await anyClient().openHold(buildHoldRequest(payer, { wanted: 1n, minimum: 1n }))).toMatchObject({
      refused: 'insufficient_balance',
    });
    expect(await readWallet(payer)).toEqual({ balance: '0', held: '0' });
  });

  it('are worked on by one plane each', async () => {
    const payer = await seedPayer(database, { balance: 1_000n * UNIT });
    const before = await readMetric('billing_holds_opened_total');
    for (let call = 0; call < 40; call++) await anyClient(call).openHold(buildHoldRequest(payer));
    expect((await readMetric('billing_holds_opened_total')) - before).toBe(40);
  });

  it('are held once when the transport delivers a message twice, late and in other packets', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const { id, walletId, tokenId, model, priceVersionId, owner } = buildHoldRequest(payer);
    const hold = {
      id,
      wallet_id: walletId,
      token_id: tokenId,
      model,
      price_version_id: priceVersionId,
      wanted: UNIT.toString(),
      minimum: UNIT.toString(),
      ttl_seconds: 60,
      owner_instance: owner.instance,
      owner_epoch: owner.epoch,
    };
    const redis = new Redis(services.redisUrl);
    const sender = randomUUID();
    const channel = scope.name('billing.hold_open');
    for (const number of [1, 1, 2, 2, 3]) {
      const message = { id: `${sender}:${number}`, pattern: 'billing.hold_open', data: { holds: [hold] } };
      await redis.publish(channel, scope.sign(channel, JSON.stringify(message)));
    }
    await vi.waitFor(async () => expect((await readWallet(payer)).held).toBe(UNIT.toString()), WITHIN);
    for (const text of ['{"not": "a packet"', 'null']) {
      await redis.publish(channel, text);
      await redis.publish(channel, scope.sign(channel, text));
    }
    await redis.quit();
    await anyClient().ping();
    expect((await readWallet(payer)).held).toBe(UNIT.toString());
  });
});

describe('other questions', () => {
  it('opens a wallet and tops it up, once for each key', async () => {
    const name = `wallet ${randomUUID()}`;
    const open = () =>
      anyClient().openWallet({ id: newId(), name, userId: undefined, openingBalance: 5n * UNIT });
    const { walletId } = await open();
    expect(await open()).toEqual({ walletId });
    const topUp = { walletId, amount: UNIT, note: 'card', idempotencyKey: 'k' };
    const outcomes = await Promise.all([0, 1, 2].map((index) => anyClient(index).topUp(topUp)));
    expect(new Set(outcomes.map((outcome) => outcome.balance))).toEqual(new Set([6n * UNIT]));
    await expect(anyClient().topUp({ ...topUp, amount: 1n })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  it('answers a wrong message with a sentence that names the field', async () => {
    const payer = await seedPayer(database, { balance: UNIT });
    await expect(anyClient().openHold(buildHoldRequest(payer, { ttlSeconds: 0 }))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('holds[0].ttl_seconds'),
    });
    await expect(anyClient().openHold(buildHoldRequest(payer, { wanted: -1n }))).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(
      anyClient().topUp({ walletId: payer.walletId, amount: 0n, note: '', idempotencyKey: 'k' }),
    ).rejects.toMatchObject({ message: 'amount: must not be zero.' });
    expect(await anyClient().openHold(buildHoldRequest(payer))).toEqual({ granted: UNIT });
  });

  it('fails the question of an unknown wallet alone', async () => {
    const payer = await seedPayer(database, { balance: UNIT });
    const [good, bad] = await Promise.allSettled([
      anyClient().openHold(buildHoldRequest(payer)),
      anyClient().openHold(buildHoldRequest(payer, { walletId: newId() })),
    ]);
    expect(good.status).toBe('fulfilled');
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
  });
});

describe('what planes do by themselves', () => {
  it('posts usage soon after it is written', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const requests = Array.from({ length: 20 }, () =>
      buildHoldRequest(payer, { wanted: (2n * UNIT) / 10n, minimum: 0n }),
    );
    await Promise.all(requests.map((request) => anyClient().openHold(request)));
    const readSlowness = watchSlowness();
    for (const request of requests) {
      await writeJournal(database, [
        { requestId: request.id, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false },
      ]);
    }
    await vi.waitFor(
      async () => expect(await readWallet(payer)).toEqual({ balance: (-10n * UNIT).toString(), held: '0' }),
      WITHIN,
    );
    const [lag] = await database.query(
      `select percentile_cont(0.95) within group (order by extract(epoch from posted_at - created_at)) as p95
         from usage_journal where request_id = any ($1)`,
      [requests.map((request) => request.id)],
    );
    expect(lag.p95).toBeLessThan(0.5 * readSlowness());
  });

  it('ends the holds of a process as soon as its next epoch is announced', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const owner = { instance: `gateway-${newId()}`, epoch: randomUUID() };
    await anyClient().heartbeat(owner);
    await Promise.all([1, 2, 3].map(() => anyClient().openHold(buildHoldRequest(payer, { owner }))));
    expect((await readWallet(payer)).held).toBe((3n * UNIT).toString());
    await anyClient().heartbeat({ ...owner, epoch: randomUUID() });
    await vi.waitFor(
      async () => expect(await readWallet(payer)).toEqual({ balance: (10n * UNIT).toString(), held: '0' }),
      WITHIN,
    );
  });

  it('F11: books what the attempts of a call and the calls of a lost process may cost us, and counts it', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT, price: { input_per_million: '1' } });
    const before = await readMetric('billing_wasted_attempts_total');
    const owner = { instance: `gateway-${newId()}`, epoch: randomUUID() };
    await anyClient().heartbeat(owner);
    const [retried, lost] = [buildHoldRequest(payer, { owner }), buildHoldRequest(payer, { owner })];
    await Promise.all([retried, lost].map((request) => anyClient().openHold(request)));
    const wasted = { attempt: 0, channel: 'a', reason: 'timed_out' } as const;
    const usage = { ...NO_USAGE, inputTokens: 40 };
    const row = { requestId: retried.id, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false } as const;
    await writeJournal(database, [{ ...row, waste: [{ ...wasted, usage }] }]);
    await anyClient().heartbeat({ ...owner, epoch: randomUUID() });
    const find = () =>
      database.query('select reason, amount from waste where request_id = any ($1) order by reason', [
        [retried.id, lost.id],
      ]);
    await vi.waitFor(
      async () =>
        expect(await find()).toEqual([
          { reason: 'gateway_lost', amount: UNIT.toString() },
          { reason: 'timed_out', amount: '40000' },
        ]),
      WITHIN,
    );
    await expect
      .poll(() => readMetric('billing_wasted_attempts_total'), WITHIN)
      .toBeGreaterThanOrEqual(before + 2);
    expect(await readMetric('billing_waste_usd_total')).toBeGreaterThan(0.1);
  });

  it('F6: renews holds for the life of a process that asks, as billing may', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const owner = { instance: `gateway-${newId()}`, epoch: randomUUID() };
    const request = buildHoldRequest(payer, { owner, ttlSeconds: 30 });
    await anyClient().openHold(request);
    expect(await anyClient().renewHolds(owner, [request.id, newId()])).toEqual([request.id]);
    const [hold] = await database.query(
      `select expires_at > now() + interval '9 minutes' as stands from hold where id = $1`,
      [request.id],
    );
    expect(hold).toEqual({ stands: true });
    await anyClient().heartbeat({ ...owner, epoch: randomUUID() });
  });

  it('shows its work on /metrics and whether it can work on /readyz', async () => {
    for (const { address } of planes) {
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
    }
    expect(await readMetric('billing_holds_refused_total')).toBeGreaterThanOrEqual(81);
    expect(await readMetric('billing_settled_total')).toBeGreaterThanOrEqual(30);
    expect(await readMetric('billing_swept_total')).toBeGreaterThanOrEqual(3);
    expect(await readMetric('billing_journal_lag_seconds_count')).toBeGreaterThan(0);
    await expect.poll(() => readMetric('billing_drift_rows'), { timeout: 30_000 }).toBe(0);
    expect(await readMetric('billing_drift_check_age_seconds')).toBeLessThan(60);
    expect(await readMetric('billing_journal_rows')).toBe(0);
    expect(await readMetric('billing_journal_oldest_seconds')).toBe(0);
  });

  it('has kept the ledger balanced', async () => {
    expect(await ledger.findDrift()).toEqual([]);
  });
});
