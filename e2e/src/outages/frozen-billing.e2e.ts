import { join } from 'node:path';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import { findFreePorts } from '@mg/testkit';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../deployment/credentials.js';
import { PlaneProcess } from '../deployment/plane-process.js';
import { type Preparation, prepareDeployment } from '../deployment/prepare.js';
import { writeSmallConfiguration } from '../deployment/small-configuration.js';
import { waitUntil } from '../wait-until.js';

const START_TIMEOUT_MS = 60_000;
const CALLERS = 12;
/** A call that was under way may be lost with the process; from then on callers should notice nothing. */
const NOTICED_AFTER_MS = 6_000;
const FROZEN_MS = 12_000;

let preparation: Preparation;
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let redis: Awaited<ReturnType<typeof startEmbeddedRedis>>;
let planes: PlaneProcess[];

beforeAll(async () => {
  preparation = await prepareDeployment();
  const { directory, upstream, jobs, billingUrl, consoleUrl, gatewayUrl } = preparation;
  postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
  redis = await startEmbeddedRedis({ directory: join(directory, 'redis') });
  await preparation.writeConfiguration(
    writeSmallConfiguration({ chatUrl: `${upstream.url}/`, videoUrl: `${jobs.url}/` }),
  );
  const [port = 0] = await findFreePorts(1);
  const shared = {
    ...preparation.variables,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'warn',
  };
  const start = (name: string, instance: string, address: string, own: Record<string, string> = {}) =>
    new PlaneProcess(name, { ...shared, INSTANCE_ID: instance, ...own }, `${address}/readyz`);
  planes = [start('billing', 'billing-1', billingUrl)];
  await planes[0]?.waitUntilReady(START_TIMEOUT_MS);
  planes.push(
    start('billing', 'billing-2', `http://127.0.0.1:${port}`, { BILLING_PORT: String(port) }),
    start('console', 'console', consoleUrl),
    start('gateway', 'gateway', gatewayUrl),
  );
  await Promise.all(planes.map((plane) => plane.waitUntilReady(START_TIMEOUT_MS)));
}, 2 * START_TIMEOUT_MS);

afterAll(async () => {
  await Promise.all(planes.map((plane) => plane.stop()));
  await Promise.all([postgres.stop(), redis.stop()]);
  await preparation.cleanUp();
});

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function call(): Promise<number> {
  const response = await fetch(`${preparation.gatewayUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'plain', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20 }),
  });
  await response.arrayBuffer();
  return response.status;
}

describe('one of two billing processes that freezes under load', () => {
  it('F1: costs callers nothing after a moment, and loses no charge', async () => {
    await waitUntil('a first answer', async () => (await call()) === 200);
    const answers: { readonly status: number; readonly atMs: number }[] = [];
    const over = new AbortController();
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!over.signal.aborted) {
        const startedMs = performance.now();
        answers.push({ status: await call(), atMs: startedMs });
      }
    });
    await waitUntil('load', () => answers.length > 100);
    const frozen = planes[1];
    frozen?.signal('SIGSTOP');
    const frozenMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, FROZEN_MS));
    over.abort();
    await Promise.all(callers);
    frozen?.signal('SIGCONT');
    const during = answers.filter(({ atMs }) => atMs > frozenMs + NOTICED_AFTER_MS);
    const good = during.filter(({ status }) => status === 200).length;
    expect(during.length).toBeGreaterThan(50);
    expect(good / during.length).toBeGreaterThanOrEqual(0.99);
    await waitUntil('nothing is held', async () => {
      const [row] = await query<{ open: string }>(`select count(*) as open from hold where state = 'open'`);
      return row?.open === '0';
    });
    expect(await query('select * from money_drift()')).toEqual([]);
    const [row] = await query<{ charged: string }>(
      `select count(*) as charged from entry where kind in ('charge', 'late_charge') and wallet_id is not null`,
    );
    const served = answers.filter(({ status }) => status === 200).length + 1;
    expect(Number(row?.charged)).toBe(served);
  }, 90_000);
});
