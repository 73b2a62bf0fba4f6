import { newId } from '@mg/contract';
import { buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findOldQueues } from '../alerts/find-conditions.js';
import { WalletLedger } from '../money/wallet-ledger.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { repeatOverdue } from '../testing/repeat-overdue.js';
import { followTasks } from './follow-tasks.js';
import { DueWork } from './due-work.js';
import { TaskLedger } from './task-ledger.js';
import type { ClaimedTask } from './task-claim.js';
import { TaskStore } from './task-store.js';

const LEASE = { worker: 'worker-1', leaseSeconds: 60 };
const ATTEMPT = { channelId: newId(), channelName: 'ark', keyHash: 'abc', upstreamModel: 'seedance' };
const UPSTREAM = { id: 'cgt-1', data: { poll: 'https://example.com/cgt-1' } };
const SOON = { nextRunSeconds: 0 };

let test: TestDatabase;
let database: DataSource;
let ledger: TaskLedger;
let store: TaskStore;
let payer: Payer;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  ledger = new TaskLedger(database);
  store = new TaskStore(database);
  payer = await seedPayer(database, { balance: 1_000_000_000_000n });
});

afterAll(() => test.stop());

async function openOne(deadlineSeconds = 3_600): Promise<string> {
  const request = buildTaskRequest(payer, { task: { deadlineSeconds } });
  await repeatOverdue(() => ledger.openTask(request));
  return request.task.id;
}

async function claimOne(taskId: string): Promise<ClaimedTask> {
  const claimed = await store.claim(taskId, LEASE);
  if (!claimed) throw new Error('the task could not be claimed');
  return claimed;
}

/** Brings a task to its provider. */
async function submitOne(): Promise<string> {
  const taskId = await openOne();
  const { claim } = await claimOne(taskId);
  expect(await store.markSubmitting(claim, ATTEMPT, 60)).toBe(true);
  expect(await store.noteSubmitted(claim, UPSTREAM, SOON)).toBe(true);
  return taskId;
}

/** As if a claim's time were over. */
function loseWorker(taskId: string): Promise<unknown> {
  return database.query(
    `update task set claimed_until = now() - interval '1 second', next_run_at = now() where id = $1`,
    [taskId],
  );
}

async function readHistory(taskId: string): Promise<string[]> {
  const rows: { state: string; note: string }[] = await database.query(
    `select state, note from task_event where task_id = $1 order by id`,
    [taskId],
  );
  return rows.map(({ state, note }) => (note === '' ? state : `${state}: ${note}`));
}

describe('claiming', () => {
  it('gives a task to one of many workers', async () => {
    const taskId = await openOne();
    const claims = await Promise.all(Array.from({ length: 30 }, () => store.claim(taskId, LEASE)));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  it('waits until the task is due, and finds none that has ended or never was', async () => {
    const [early, ended] = [await openOne(), await openOne()];
    const { claim } = await claimOne(early);
    expect(await store.release(claim, { nextRunSeconds: 30 })).toBe(true);
    expect(await store.claim(early, LEASE)).toBeUndefined();
    await ledger.endTask({ taskId: ended, state: 'cancelled', note: '' });
    expect(await store.claim(ended, LEASE)).toBeUndefined();
    expect(await store.claim(newId(), LEASE)).toBeUndefined();
  });

  it('passes a lost worker’s task on, and lets that worker change it no more', async () => {
    const taskId = await openOne();
    const lost = await claimOne(taskId);
    await loseWorker(taskId);
    const successor = await claimOne(taskId);
    expect(await store.markSubmitting(lost.claim, ATTEMPT, 60)).toBe(false);
    expect(await store.release(lost.claim, SOON)).toBe(false);
    expect(await store.markSubmitting(successor.claim, ATTEMPT, 60)).toBe(true);
  });
});

describe('submitting', () => {
  it('keeps where the task went and under which id, for the polls', async () => {
    const taskId = await submitOne();
    const { task } = await claimOne(taskId);
    expect(task).toMatchObject({
      id: taskId,
      state: 'submitted',
      channelId: ATTEMPT.channelId,
      channelName: 'ark',
      keyHash: 'abc',
      upstreamModel: 'seedance',
      upstreamId: 'cgt-1',
      upstreamData: UPSTREAM.data,
      order: '',
      seconds: 5,
      amount: 100_000_000n,
      charged: undefined,
      progress: undefined,
      pollFailures: 0,
    });
    expect(task.submittedAt).toBeGreaterThanOrEqual(task.createdAt);
    expect(await readHistory(taskId)).toEqual([
      'created: cost held',
      'submitting: to channel ark',
      'submitted',
    ]);
  });

  it('has the order at hand for as long as it may have to be sent, and forgets it then', async () => {
    const taskId = await openOne();
    const orders = [];
    for (const leave of ['release', 'noteSubmitUnknown', 'noteSubmitted'] as const) {
      const { claim, orderBytes } = await claimOne(taskId);
      const order = await store.readOrder(taskId);
      expect(orderBytes).toBe(order?.length);
      orders.push(order?.toString());
      if (leave === 'release') await store.release(claim, SOON);
      else await store.markSubmitting(claim, ATTEMPT, 60);
      if (leave === 'noteSubmitUnknown') await store.noteSubmitUnknown(claim, SOON);
      if (leave === 'noteSubmitted') await store.noteSubmitted(claim, UPSTREAM, SOON);
    }
    expect(orders).toEqual(Array.from({ length: 3 }, () => '{"prompt":"a cat"}'));
    expect((await claimOne(taskId)).orderBytes).toBeUndefined();
    expect(await store.readOrder(taskId)).toBeUndefined();
    const ended = await openOne();
    await ledger.endTask({ taskId: ended, state: 'cancelled', note: '' });
    const kept = await database.query('select 1 from task_order where task_id = any ($1)', [[taskId, ended]]);
    expect(kept).toEqual([]);
  });

  it('C1: has an order of megabytes at hand in parts, none of which the driver reads in a long step', async () => {
    const order = Buffer.from(JSON.stringify({ prompt: `a ${'\u{1F600}'.repeat(400_000)}` }));
    const request = buildTaskRequest(payer, { task: { order } });
    await ledger.openTask(request);
    const query = vi.spyOn(database, 'query');
    const read = await store.readOrder(request.task.id);
    const rows = (await query.mock.results[0]?.value) as { part: string }[];
    query.mockRestore();
    expect(read?.equals(order)).toBe(true);
    expect(rows.length).toBe(4);
    expect(Math.max(...rows.map(({ part }) => part.length))).toBeLessThan(1024 * 1024);
  });

  it('happens on the next channel after a certain refusal, under the same claim', async () => {
    const taskId = await openOne();
    const { claim } = await claimOne(taskId);
    await store.markSubmitting(claim, ATTEMPT, 60);
    expect(await store.noteRefused(claim, 'ark answered 429', 60)).toBe(true);
    expect(await store.claim(taskId, LEASE)).toBeUndefined();
    expect(await store.markSubmitting(claim, { ...ATTEMPT, channelName: 'second' }, 60)).toBe(true);
    expect(await readHistory(taskId)).toEqual([
      'created: cost held',
      'submitting: to channel ark',
      'created: ark answered 429',
      'submitting: to channel second',
    ]);
  });

  it('is of unknown state when its worker is lost, and is never begun again by another', async () => {
    const taskId = await openOne();
    const lost = await claimOne(taskId);
    await store.markSubmitting(lost.claim, ATTEMPT, 60);
    await loseWorker(taskId);
    const successor = await claimOne(taskId);
    expect(successor.task.state).toBe('submit_unknown');
    expect(await store.markSubmitting(successor.claim, ATTEMPT, 60)).toBe(false);
    expect(await store.noteSubmitUnknown(successor.claim, { ...SOON, note: 'still unknown' })).toBe(true);
    expect(await store.noteSubmitted(lost.claim, UPSTREAM, SOON)).toBe(true);
    expect((await claimOne(taskId)).task).toMatchObject({ state: 'submitted', upstreamId: 'cgt-1' });
    expect(await readHistory(taskId)).toEqual([
      'created: cost held',
      'submitting: to channel ark',
      'submit_unknown: its worker was lost during the submit',
      'submit_unknown: still unknown',
      'submitted',
    ]);
  });

  it('either begins or is cancelled, when both are tried at once', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => openOne()));
    const outcomes = await Promise.all(
      ids.map(async (taskId) => {
        const { claim } = await claimOne(taskId);
        const [began, end] = await Promise.all([
          store.markSubmitting(claim, ATTEMPT, 60),
          ledger.endTask({ taskId, state: 'cancelled', from: ['created'], note: 'by its owner' }),
        ]);
        return { began, cancelled: end.ended };
      }),
    );
    expect(outcomes.every(({ began, cancelled }) => began !== cancelled)).toBe(true);
  });

  it('that comes to an end meanwhile is told so', async () => {
    const taskId = await openOne();
    const { claim } = await claimOne(taskId);
    await store.markSubmitting(claim, ATTEMPT, 60);
    await ledger.endTask({ taskId, state: 'expired', note: '' });
    expect(await store.noteSubmitted(claim, UPSTREAM, SOON)).toBe(false);
  });
});

describe('polling', () => {
  it('goes from submitted to running and not back, and progress only grows', async () => {
    const taskId = await submitOne();
    const seen = [];
    for (const [running, progress] of [
      [false, undefined],
      [true, 40],
      [false, 20],
      [true, 70.4],
      [true, 300],
    ] as const) {
      const { claim } = await claimOne(taskId);
      expect(await store.notePolled(claim, { running, progress }, SOON)).toBe(true);
      const [row] = await database.query('select state, progress from task where id = $1', [taskId]);
      seen.push(`${row.state} ${row.progress}`);
    }
    expect(seen).toEqual(['submitted null', 'running 40', 'running 40', 'running 70', 'running 100']);
    expect((await readHistory(taskId)).slice(2)).toEqual(['submitted', 'running']);
  });

  it('counts polls in a row without a usable answer', async () => {
    const taskId = await submitOne();
    for (const failures of [0, 1, 2]) {
      const { task, claim } = await claimOne(taskId);
      expect(task.pollFailures).toBe(failures);
      await store.notePollFailed(claim, { ...SOON, note: 'timeout' });
    }
    await store.notePolled((await claimOne(taskId)).claim, { running: true, progress: undefined }, SOON);
    expect((await claimOne(taskId)).task.pollFailures).toBe(0);
  });

  it('is never planned for later than the deadline', async () => {
    const taskId = await openOne(100);
    const { claim } = await claimOne(taskId);
    await store.release(claim, { nextRunSeconds: 1_000 });
    const [row] = await database.query('select next_run_at = deadline_at as capped from task where id = $1', [
      taskId,
    ]);
    expect(row.capped).toBe(true);
  });

  it('is soon when the deadline has passed during the one before', async () => {
    const taskId = await openOne();
    const { claim } = await claimOne(taskId);
    await store.markSubmitting(claim, ATTEMPT, 60);
    await database.query(`update task set deadline_at = now() - interval '1 second' where id = $1`, [taskId]);
    await store.noteSubmitUnknown(claim, { nextRunSeconds: 3_600 });
    const [row] = await database.query(
      `select next_run_at > deadline_at as overdue, next_run_at < now() + interval '6 seconds' as soon from task where id = $1`,
      [taskId],
    );
    expect(row).toEqual({ overdue: true, soon: true });
  });
});

describe('watching over tasks', () => {
  it('finds those that are due and nobody’s', async () => {
    const [late, claimed, planned, ended] = [
      await openOne(),
      await openOne(),
      await openOne(),
      await openOne(),
    ];
    await claimOne(claimed);
    await store.release((await claimOne(planned)).claim, { nextRunSeconds: 60 });
    await ledger.endTask({ taskId: ended, state: 'failed', note: '' });
    await database.query(`update task set next_run_at = now() - interval '1 hour' where id = any ($1)`, [
      [late, claimed, ended],
    ]);
    expect(await new DueWork(database).find()).toMatchObject({ tasks: true });
    const found = await store.findOverdue({ lateSeconds: 600, createdLateSeconds: 600, limit: 100 });
    expect(found).toContain(late);
    expect(found).not.toContain(claimed);
    expect(found).not.toContain(planned);
    expect(found).not.toContain(ended);
    const counts = await store.countTasks();
    expect(counts.byState.get('created')).toBeGreaterThanOrEqual(3);
    expect(counts.oldestDueSeconds).toBeGreaterThanOrEqual(3_600);
  });

  it('has operators told of tasks that no worker takes, not of those that wait for their channel', async () => {
    const [waiting, late] = [await openOne(), await openOne()];
    await database.query(
      `update task set created_at = now() - interval '1 hour',
              next_run_at = case id when $1 then now() + interval '30 seconds' else now() end
        where state = 'created'`,
      [waiting],
    );
    const findOld = async () => (await findOldQueues(database.manager, 60)).conditions;
    expect(await findOld()).toEqual([]);
    await database.query(`update task set next_run_at = now() - interval '2 minutes' where id = $1`, [late]);
    expect(await findOld()).toMatchObject([{ subject: 'video tasks', facts: { oldest_seconds: 120 } }]);
    await database.query(`update task set next_run_at = now() where id = $1`, [late]);
  });

  it('leaves a task alone for a while that its gateway may yet cancel', async () => {
    const [created, given] = [await openOne(), await openOne()];
    await database.query(
      `update task set next_run_at = now() - interval '5 seconds',
              state = case id when $2 then 'submit_unknown' else state end
        where id = any ($1)`,
      [[created, given], given],
    );
    const find = (createdLateSeconds: number) =>
      store.findOverdue({ lateSeconds: 2, createdLateSeconds, limit: 100 });
    expect(await find(10)).toContain(given);
    expect(await find(10)).not.toContain(created);
    expect(await find(4)).toContain(created);
  });

  it('announces each state once it is committed', async () => {
    const seen: string[] = [];
    let listening = false;
    const follower = followTasks(test.url, {
      changed: (taskId) => seen.push(taskId),
      connected: () => (listening = true),
      failed: () => undefined,
    });
    await expect.poll(() => listening).toBe(true);
    const taskId = await submitOne();
    await store.release((await claimOne(taskId)).claim, SOON);
    await ledger.chargeTask(taskId);
    await ledger.endTask({ taskId, state: 'failed', note: '' });
    await expect.poll(() => seen.filter((id) => id === taskId)).toHaveLength(4);
    await follower.close();
  });
});

it('has left the ledger balanced', async () => {
  expect(await new WalletLedger(database).findDrift()).toEqual([]);
});
