import { newId, NO_USAGE, usageToRow } from '@mg/contract';
import type { ConsoleStore, LoggedCallRow } from '@mg/persistence/console';
import { expect, it } from 'vitest';
import type { Caller } from '../http/caller.js';
import { LogReader } from './log-reader.js';

it('M5: a page of calls with many attempts is explained in several turns of the event loop', async () => {
  const attempts = Array.from({ length: 6 }, () => ({
    channel: 'a',
    outcome: 'failed',
    status: 500,
    latency_ms: 9,
    reason: 'x',
  }));
  const call = { createdAt: new Date(), usage: usageToRow(NO_USAGE), cost: 0n, attempts };
  const rows = Array.from(
    { length: 200 },
    () => ({ ...call, requestId: newId() }) as unknown as LoggedCallRow,
  );
  const store = {
    logs: { list: async () => ({ rows, next: undefined }), findSettled: async () => new Map() },
    models: { findPricesById: async () => new Map() },
  } as unknown as ConsoleStore;
  const caller = { role: 'administrator', scope: { kind: 'all' } } as unknown as Caller;
  let turns = 0;
  let timer = setImmediate(function count() {
    turns++;
    timer = setImmediate(count);
  });
  const page = await new LogReader(store).list(caller, {}, { limit: 200, after: undefined });
  clearImmediate(timer);
  expect(page.rows).toHaveLength(200);
  expect(turns).toBeGreaterThanOrEqual(7);
});
