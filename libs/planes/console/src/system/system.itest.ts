import { newId, parseUsd } from '@mg/contract';
import { reportPlane } from '@mg/persistence/console';
import { WalletLedger } from '@mg/persistence/billing';
import { listLiving, toCooldownReport, writeRequestLog } from '@mg/persistence/gateway';
import { seedPayer } from '@mg/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { systemSchema } from './system-schemas.js';
import { ANSWERED_CALL } from '../testing/answered-call.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

async function show(): Promise<z.output<typeof systemSchema>> {
  return (await console.call<z.output<typeof systemSchema>>('GET', '/api/v1/system', { session })).body;
}

it('shows processes while they report, and how gateways see their channels', async () => {
  const channel = await console.call<{ id: string }>('POST', '/api/v1/channels', {
    session,
    body: { name: newId(), type: 'openai', api_key: 'sk-provider-key-of-the-test' },
  });
  const rest = { channelId: channel.body.id, slug: 'gpt', cooldownMs: 60_000, consecutiveFailures: 5 };
  const facts = { plane: 'gateway', instance: 'one', version: '1.2.3' };
  const gateway = reportPlane(bed.database, facts, () => ({ resting: [toCooldownReport(rest)] }));
  const billing = reportPlane(bed.database, { ...facts, plane: 'billing' }, () => ({ drift_rows: 0 }));
  await expect.poll(async () => (await show()).planes).toHaveLength(2);
  const system = await show();
  expect(system.planes[1]).toMatchObject({ ...facts, alive: true });
  expect(system.drift_rows).toBe(0);
  expect(await listLiving(bed.database, 'gateway')).toEqual(['one']);
  expect(system.channels.find(({ id }) => id === channel.body.id)).toMatchObject({
    healthy: false,
    resting: [{ instance: 'gateway/one', model: 'gpt', failures: 5 }],
  });
  await bed.database.query(
    `update plane_report set seen_at = now() - interval '1 minute' where plane = 'gateway'`,
  );
  const later = await show();
  expect(later.planes[1]).toMatchObject({ plane: 'gateway', alive: false });
  expect(await listLiving(bed.database, 'gateway')).toEqual([]);
  expect(later.channels.every((shown) => shown.healthy)).toBe(true);
  await Promise.all([gateway.close(), billing.close()]);
  expect((await show()).planes).toEqual([]);
});

it('shows open holds and what waits', async () => {
  const payer = await seedPayer(bed.database, { balance: parseUsd('5'), price: { input_per_million: '1' } });
  await new WalletLedger(bed.database).openHolds([
    {
      id: newId(),
      walletId: payer.walletId,
      tokenId: payer.tokenId,
      model: payer.model,
      priceVersionId: payer.priceVersionId,
      wanted: parseUsd('0.5'),
      minimum: parseUsd('0.5'),
      ttlSeconds: 60,
      owner: { instance: 'test', epoch: '1' },
    },
  ]);
  await bed.database.query(
    `insert into usage_journal (request_id, seq, phase, usage, created_at)
     values ($1, 0, 'usage', '{}', now() - interval '30 seconds')`,
    [newId()],
  );
  const system = await show();
  expect(system).toMatchObject({
    open_holds: [
      { kind: 'call', count: 1, amount: '0.5', oldest_seconds: expect.any(Number) },
      { kind: 'video', count: 0, amount: '0', oldest_seconds: 0 },
    ],
    tasks: {},
    webhooks: { count: 0, oldest_seconds: 0 },
  });
  expect(system.journal.count).toBe(1);
  expect(system.journal.oldest_seconds).toBeGreaterThanOrEqual(30);
});

it('a channel is judged by its attempts, those too that another channel made good', async () => {
  const payer = await seedPayer(bed.database, { balance: parseUsd('5'), price: { input_per_million: '1' } });
  const [dead, alive] = [`dead-${newId()}`, `alive-${newId()}`];
  for (const name of [dead, alive]) {
    const body = { name, type: 'openai', api_key: 'sk-provider-key-of-the-test' };
    await console.call('POST', '/api/v1/channels', { session, body });
  }
  const failed = { status: 401, latency_ms: 3, reason: 'priority 9; wrong key' };
  await writeRequestLog(bed.database, [
    {
      requestId: newId(),
      createdAt: new Date(),
      ...payer,
      tokenName: 'test',
      ...ANSWERED_CALL,
      channel: alive,
      attempts: [
        { channel: dead, outcome: 'failed', ...failed },
        { channel: alive, outcome: 'served', status: 200, latency_ms: 2, reason: 'priority 0' },
      ],
    },
  ]);
  const { channels } = await show();
  expect(channels.find(({ name }) => name === dead)).toMatchObject({
    healthy: true,
    state: 'failing',
    attempts: { hour: { served: 0, failed: 1 }, day: { served: 0, failed: 1 } },
    last_failure: { status: 401, reason: 'priority 9; wrong key' },
  });
  expect(channels.find(({ name }) => name === alive)).toMatchObject({ state: 'healthy', last_failure: null });
});
