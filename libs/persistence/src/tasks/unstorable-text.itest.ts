import { buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { TaskLedger } from './task-ledger.js';
import { TaskStore } from './task-store.js';

const LONE = '\uD83D';

let test: TestDatabase;
let database: DataSource;
let ledger: TaskLedger;
let store: TaskStore;
let payer: Payer;

beforeAll(async () => {
  test = await openTestDatabase(2);
  ({ database } = test);
  ledger = new TaskLedger(database);
  store = new TaskStore(database);
  payer = await seedPayer(database, { balance: 10_000_000_000n });
});

afterAll(() => test.stop());

async function openOne(): Promise<string> {
  const request = buildTaskRequest(payer);
  await ledger.openTask(request);
  return request.task.id;
}

describe('M2: what a video provider says, whatever it holds', () => {
  it('is written down, so that no job that was taken is lost for it', async () => {
    const claimed = await store.claim(await openOne(), { worker: 'test', leaseSeconds: 30 });
    const claim = claimed?.claim ?? { taskId: '', by: '' };
    const channel = { channelId: payer.walletId, channelName: 'c', keyHash: undefined, upstreamModel: 'm' };
    await store.markSubmitting(claim, channel, 30);
    const upstream = { id: 'job\0', data: { url: 'a\0', [`na${LONE}me`]: ['\0'] } };
    expect(await store.noteSubmitted(claim, upstream, { nextRunSeconds: 1, note: 'said \0' })).toBe(true);
  });

  it('ends its task with the money back', async () => {
    const taskId = await openOne();
    const error = { code: 'upstream_error', message: `it said \0 and ${LONE}` };
    const ended = await ledger.endTask({ taskId, state: 'failed', error, note: 'it said \0' });
    expect(ended).toMatchObject({ state: 'failed', charged: 0n, ended: true });
  });
});
