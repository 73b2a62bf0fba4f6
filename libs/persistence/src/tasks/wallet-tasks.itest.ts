import { setImmediate } from 'node:timers/promises';
import { newId, type NewTask } from '@mg/contract';
import { buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { DueWork } from './due-work.js';
import { TaskLedger } from './task-ledger.js';
import { WalletTasks } from './wallet-tasks.js';
import { WebhookDeliveries } from './webhook-deliveries.js';

let test: TestDatabase;
let database: DataSource;
let ledger: TaskLedger;
let tasks: WalletTasks;

beforeAll(async () => {
  test = await openTestDatabase(8);
  ({ database } = test);
  ledger = new TaskLedger(database);
  tasks = new WalletTasks(database);
});

afterAll(() => test.stop());

async function openOne(payer: Payer, task: Partial<NewTask> = {}): Promise<NewTask> {
  const request = buildTaskRequest(payer, { task });
  await ledger.openTask(request);
  return request.task;
}

const newPayer = () => seedPayer(database, { balance: 1_000_000_000_000n });

/** Ids are in the order of their making from one millisecond to the next. */
async function nextMillisecond(): Promise<void> {
  const nowMs = Date.now();
  while (Date.now() === nowMs) await setImmediate();
}

describe('H3: tasks of a wallet', () => {
  it('are found, listed and removed by nobody else', async () => {
    const [owner, stranger] = [await newPayer(), await newPayer()];
    const task = await openOne(owner);
    await ledger.endTask({ taskId: task.id, state: 'failed', note: '' });
    expect(await tasks.find(owner.walletId, task.publicId)).toMatchObject({ id: task.id, state: 'failed' });
    expect(await tasks.find(stranger.walletId, task.publicId)).toBeUndefined();
    expect(await tasks.hide(stranger.walletId, task.publicId)).toBe(false);
    const ofStranger = { publicIds: [task.publicId] };
    expect(await tasks.list(stranger.walletId, ofStranger, { limit: 10, offset: 0 })).toEqual({
      tasks: [],
      total: 0,
    });
    for (const guess of [task.id, newId(), `${task.publicId}' or true --`, '']) {
      expect(await tasks.find(stranger.walletId, guess)).toBeUndefined();
    }
  });

  it('H3: are another wallet’s even where both belong to one user', async () => {
    const [one, other] = [await newPayer(), await newPayer()];
    await database.query('update wallet set user_id = $2 where id = $1', [other.walletId, one.userId]);
    const task = await openOne(one);
    await openOne({ ...other, userId: one.userId });
    await ledger.endTask({ taskId: task.id, state: 'failed', note: '' });
    const page = { limit: 10, offset: 0 };
    expect(await tasks.find(other.walletId, task.publicId)).toBeUndefined();
    expect(await tasks.hide(other.walletId, task.publicId)).toBe(false);
    expect((await tasks.list(other.walletId, { publicIds: [task.publicId] }, page)).total).toBe(0);
    expect(await tasks.listAfter(other.walletId, 'generic', task.publicId, 10)).toEqual([]);
    expect((await tasks.list(one.walletId, {}, page)).tasks.map(({ id }) => id)).toEqual([task.id]);
    expect(await tasks.hide(one.walletId, task.publicId)).toBe(true);
  });

  it('are listed in pages, newest first, by API variant, state, id and model', async () => {
    const payer = await newPayer();
    const opened = [];
    for (let count = 0; count < 5; count++) {
      opened.push(await openOne(payer, { apiVariant: count < 3 ? 'native' : 'generic' }));
      await nextMillisecond();
    }
    const ids = opened.map((task) => task.publicId);
    await ledger.endTask({ taskId: opened[1]!.id, state: 'failed', note: '' });
    const list = async (filter: Parameters<WalletTasks['list']>[1], limit = 10, offset = 0) => {
      const { tasks: listed, total } = await tasks.list(payer.walletId, filter, { limit, offset });
      return { places: listed.map((task) => ids.indexOf(task.publicId)), total };
    };
    expect(await list({})).toEqual({ places: [4, 3, 2, 1, 0], total: 5 });
    expect(await list({}, 2, 1)).toEqual({ places: [3, 2], total: 5 });
    expect(await list({ apiVariant: 'native' })).toEqual({ places: [2, 1, 0], total: 3 });
    expect(await list({ apiVariant: 'native', states: ['created', 'running'] })).toEqual({
      places: [2, 0],
      total: 2,
    });
    expect(await list({ publicIds: [ids[0]!, ids[4]!, 'none'] })).toEqual({ places: [4, 0], total: 2 });
    expect(await list({ model: payer.model })).toMatchObject({ total: 5 });
    expect(await list({ model: 'another' })).toEqual({ places: [], total: 0 });
  });

  it('are listed in portions, which make up one page', async () => {
    const payer = await newPayer();
    const opened = [];
    for (let count = 0; count < 60; count++) {
      opened.push((await openOne(payer)).id);
    }
    const newest = opened.toSorted().toReversed();
    const queries = vi.spyOn(database, 'query');
    const page = await tasks.list(payer.walletId, {}, { limit: 55, offset: 2 });
    expect(queries).toHaveBeenCalledTimes(4);
    queries.mockRestore();
    expect(page.total).toBe(60);
    expect(page.tasks.map(({ id }) => id)).toEqual(newest.slice(2, 57));
    const older = await tasks.listAfter(payer.walletId, 'generic', page.tasks[0]!.publicId, 100);
    expect(older.map(({ id }) => id)).toEqual(newest.slice(3));
  });

  it('leave the list for good when they are removed, which only ended ones can be', async () => {
    const payer = await newPayer();
    const task = await openOne(payer);
    expect(await tasks.hide(payer.walletId, task.publicId)).toBe(false);
    await ledger.endTask({ taskId: task.id, state: 'succeeded', note: '' });
    expect(await tasks.hide(payer.walletId, task.publicId)).toBe(true);
    expect(await tasks.hide(payer.walletId, task.publicId)).toBe(false);
    expect(await tasks.find(payer.walletId, task.publicId)).toBeUndefined();
    expect((await tasks.list(payer.walletId, {}, { limit: 10, offset: 0 })).total).toBe(0);
  });
});

describe('calls back to owners', () => {
  it('are taken by one worker, tried again when they fail, and end when they are delivered or given up', async () => {
    const payer = await newPayer();
    const deliveries = new WebhookDeliveries(database);
    const task = await openOne(payer, { callbackUrl: 'https://example.com/hook' });
    const areDue = async () => (await new DueWork(database).find()).webhooks;
    expect(await deliveries.claimDue({ limit: 10, leaseSeconds: 60 })).toEqual([]);
    expect(await areDue()).toBe(false);
    await ledger.endTask({ taskId: task.id, state: 'failed', error: { code: 'x', message: 'y' }, note: '' });
    expect(await areDue()).toBe(true);

    const claims = await Promise.all(
      Array.from({ length: 8 }, () => deliveries.claimDue({ limit: 10, leaseSeconds: 60 })),
    );
    const [first, ...others] = claims.flat();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ url: 'https://example.com/hook', event: 'task.failed', attempts: 0 });
    expect(first?.task).toMatchObject({ publicId: task.publicId, state: 'failed', error: { code: 'x' } });

    await deliveries.recordFailed(first!.id, { status: 500, error: 'HTTP 500', retrySeconds: 0 });
    const [second] = await deliveries.claimDue({ limit: 10, leaseSeconds: 0 });
    expect(second).toMatchObject({ id: first!.id, attempts: 1 });
    const [third] = await deliveries.claimDue({ limit: 10, leaseSeconds: 60 });
    expect(third?.id).toBe(first!.id);
    await deliveries.recordDelivered(third!.id, 204);
    await deliveries.recordFailed(second!.id, { status: undefined, error: 'late', retrySeconds: 0 });
    expect(await deliveries.claimDue({ limit: 10, leaseSeconds: 60 })).toEqual([]);
    expect(await areDue()).toBe(false);
    const [row] = await database.query('select attempts, last_status, last_error from webhook_delivery');
    expect(row).toEqual({ attempts: 2, last_status: 204, last_error: null });

    const lost = await openOne(payer, { callbackUrl: 'https://example.com/hook' });
    await ledger.endTask({ taskId: lost.id, state: 'succeeded', note: '' });
    const [last] = await deliveries.claimDue({ limit: 10, leaseSeconds: 60 });
    await deliveries.recordFailed(last!.id, { status: 410, error: 'gone', retrySeconds: undefined });
    expect(await deliveries.claimDue({ limit: 10, leaseSeconds: 60 })).toEqual([]);
  });
});
