import { type AttemptFigures, classOf, newId } from '@mg/contract';
import { reportPlane } from '@mg/persistence/console';
import { expireAttempts, toCooldownReport, writeAttempts } from '@mg/persistence/gateway';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { attemptsSchema } from './attempt-schemas.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

async function makeChannel(): Promise<string> {
  const body = { name: newId(), type: 'openai', api_key: 'sk-provider-key-of-the-test' };
  return (await console.call<{ id: string }>('POST', '/api/v1/channels', { session, body })).body.id;
}

async function show(channelId: string) {
  const path = `/api/v1/system/attempts?channel_id=${channelId}`;
  const { body } = await console.call<z.output<typeof attemptsSchema>>('GET', path, { session });
  expect(body.channels).toHaveLength(1);
  return body.channels[0];
}

function histogram(ms: number, count: number): number[] {
  return [...Array.from({ length: classOf(ms) }, () => 0), count];
}

function figures(channelId: string, facts: Partial<AttemptFigures>): AttemptFigures {
  const nothing = { served: 0, failed: 0, wholeMs: [], firstMs: [], lastFailure: undefined };
  return { channelId, model: 'gpt', key: 'sk-...1', ...nothing, ...facts };
}

const age = (channelId: string, span: string) =>
  bed.database.query(
    'update attempt_figures set starts_at = starts_at - $2::interval, failed_at = failed_at - $2::interval where channel_id = $1',
    [channelId, span],
  );

describe('attempts', () => {
  it('add up over gateways, by model and key, with the last failure', async () => {
    const id = await makeChannel();
    const failed = { at: new Date(), status: 500, reason: 'broken' };
    await writeAttempts(bed.database, [
      figures(id, { served: 90, wholeMs: histogram(100, 90) }),
      figures(id, {
        key: 'sk-...2',
        failed: 5,
        lastFailure: { ...failed, at: new Date(Date.now() - 9_000) },
      }),
    ]);
    await writeAttempts(bed.database, [
      figures(id, { served: 10, firstMs: histogram(40, 2), wholeMs: histogram(2_000, 10) }),
      figures(id, { key: 'sk-...2', failed: 5, lastFailure: { ...failed, reason: 'worse' } }),
    ]);
    const shown = await show(id);
    expect(shown).toMatchObject({ state: 'degraded', hour: { served: 100, failed: 10 } });
    expect(shown?.hour.success_share).toBeCloseTo(100 / 110);
    const { p50_ms: p50, p95_ms: p95, ttft_p95_ms: ttft } = shown?.hour ?? {};
    expect([p50, p95, ttft].map((ms) => ms ?? 0)).toEqual([
      expect.closeTo(110, -1.5),
      expect.closeTo(2_200, -2.8),
      expect.closeTo(44, -1),
    ]);
    expect(shown?.last_failure).toMatchObject({ status: 500, reason: 'worse' });
    expect(shown?.parts.map(({ key, state }) => [key, state])).toEqual([
      ['sk-...1', 'healthy'],
      ['sk-...2', 'failing'],
    ]);
  });

  it('of an hour ago are those of the day, and a channel that is not asked is idle', async () => {
    const id = await makeChannel();
    expect(await show(id)).toMatchObject({ state: 'idle', hour: { success_share: null, p50_ms: null } });
    await writeAttempts(bed.database, [figures(id, { served: 3, wholeMs: histogram(10, 3) })]);
    expect(await show(id)).toMatchObject({ state: 'healthy' });
    await age(id, '2 hours');
    expect(await show(id)).toMatchObject({ state: 'idle', hour: { served: 0 }, day: { served: 3 } });
    await age(id, '24 hours');
    expect(await show(id)).toMatchObject({ day: { served: 0 }, parts: [] });
    await expireAttempts(bed.database);
    expect(await bed.database.query('select 1 from attempt_figures where channel_id = $1', [id])).toEqual([]);
  });

  it('of a part that a gateway leaves out are degraded', async () => {
    const id = await makeChannel();
    await writeAttempts(bed.database, [
      figures(id, { served: 3, wholeMs: histogram(10, 3) }),
      figures(id, { served: 3, key: 'sk-...2', wholeMs: histogram(10, 3) }),
    ]);
    const rest = { channelId: id, slug: 'gpt', cooldownMs: 60_000, consecutiveFailures: 1, key: 'sk-...1' };
    const facts = { plane: 'gateway', instance: newId(), version: '1' };
    const reporter = reportPlane(bed.database, facts, () => ({ resting: [toCooldownReport(rest)] }));
    await vi.waitFor(async () =>
      expect((await show(id))?.parts.map(({ state }) => state)).toEqual(['degraded', 'healthy']),
    );
    expect((await show(id))?.state).toBe('healthy');
    await reporter.close();
  });
});
