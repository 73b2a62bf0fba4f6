import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Task, type TaskEndState } from '@mg/contract';
import { buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WalletLedger } from '../money/wallet-ledger.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { isOverdue, repeatOverdue } from '../testing/repeat-overdue.js';
import { TaskLedger } from './task-ledger.js';
import type { TaskClaim } from './task-claim.js';
import { TaskStore } from './task-store.js';

const TASKS = 150;
const WORKERS = 8;
/** Shorter than many a step, so that claims run out under workers that are slow but alive. */
const LEASE_SECONDS = 0.02;
const NEXT = { nextRunSeconds: 0 };

let test: TestDatabase;
let database: DataSource;
let store: TaskStore;
let ledger: TaskLedger;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  store = new TaskStore(database);
  ledger = new TaskLedger(database);
});

afterAll(() => test.stop());

class Crash extends Error {}

/** A worker dies here now and then, and is slow at times. */
async function mayCrash(): Promise<void> {
  if (Math.random() < 0.08) throw new Crash();
  if (Math.random() < 0.2) await sleep(Math.random() * 50);
}

/** A provider: takes jobs, refuses some for certain, and keeps count. */
class Provider {
  readonly accepted = new Map<string, number>();
  readonly inFlight = new Set<string>();

  async submit(taskId: string): Promise<'accepted' | 'refused'> {
    this.inFlight.add(taskId);
    await sleep(Math.random() * 40);
    this.inFlight.delete(taskId);
    if (Math.random() < 0.3) return 'refused';
    this.accepted.set(taskId, (this.accepted.get(taskId) ?? 0) + 1);
    return 'accepted';
  }
}

const provider = new Provider();
const attempt = { channelId: newId(), channelName: 'ark', keyHash: 'h', upstreamModel: 'm' };

async function submit(taskId: string, claim: TaskClaim): Promise<void> {
  if (!(await store.markSubmitting(claim, attempt, LEASE_SECONDS))) return;
  await mayCrash();
  const result = await provider.submit(taskId);
  await mayCrash();
  if (result === 'refused') {
    await store.noteRefused(claim, 'HTTP 429', LEASE_SECONDS);
    return;
  }
  await noteAccepted(taskId, claim);
}

async function noteAccepted(taskId: string, claim: TaskClaim): Promise<void> {
  const noted = await store.noteSubmitted(claim, { id: `up-${taskId}`, data: {} }, NEXT);
  await mayCrash();
  if (noted) await ledger.chargeTask(taskId);
}

/** Looks whether a job of unknown state is there. While its submit may still arrive, nothing is concluded. */
async function lookUp(taskId: string, claim: TaskClaim): Promise<void> {
  if (provider.accepted.has(taskId)) await noteAccepted(taskId, claim);
  else if (provider.inFlight.has(taskId) || Math.random() < 0.5) await store.noteSubmitUnknown(claim, NEXT);
  else await end(taskId, 'failed');
}

async function poll(task: Task, claim: TaskClaim): Promise<void> {
  if (task.charged === undefined) await ledger.chargeTask(task.id);
  await mayCrash();
  const dice = Math.random();
  if (dice < 0.2) await store.notePollFailed(claim, { ...NEXT, note: 'HTTP 502' });
  else if (dice < 0.5) await store.notePolled(claim, { running: true, progress: dice * 100 }, NEXT);
  else await end(task.id, dice < 0.7 ? 'succeeded' : 'failed');
}

async function end(taskId: string, state: TaskEndState): Promise<void> {
  await ledger.endTask({ taskId, state, note: 'test' });
  await mayCrash();
  await ledger.endTask({ taskId, state: 'failed', note: 'reported again, differently' });
}

async function takeStep(taskId: string): Promise<void> {
  const claimed = await store.claim(taskId, { worker: 'w', leaseSeconds: LEASE_SECONDS });
  if (!claimed) return;
  const { task, claim } = claimed;
  await mayCrash();
  if (task.state === 'created') await submit(taskId, claim);
  else if (task.state === 'submit_unknown') await lookUp(taskId, claim);
  else await poll(task, claim);
}

/** Finds its work in the database alone, as if every wake-up had been lost; comes back to life after each crash. */
async function work(): Promise<void> {
  while ((await store.countTasks()).byState.size > 0) {
    const overdue = await store.findOverdue({ lateSeconds: 0, createdLateSeconds: 0, limit: 20 });
    for (const taskId of overdue) {
      await takeStep(taskId).catch((error: unknown) => {
        if (!(error instanceof Crash || isOverdue(error))) throw error;
      });
    }
  }
}

async function openAll(payer: Payer): Promise<void> {
  await Promise.all(
    Array.from({ length: TASKS }, () => buildTaskRequest(payer)).map((request) =>
      repeatOverdue(() => ledger.openTask(request)),
    ),
  );
}

it(
  `brings ${TASKS} tasks to their ends, each submitted once and paid for once, while ${WORKERS} workers crash or are slow`,
  { timeout: 60_000 },
  async () => {
    const payer = await seedPayer(database, { balance: 100_000_000_000n });
    await openAll(payer);
    await Promise.all(Array.from({ length: WORKERS }, work));

    expect([...provider.accepted.values()].filter((count) => count > 1)).toEqual([]);
    const [sums] = await database.query(
      `select count(*)::int as tasks, (count(*) filter (where state = 'succeeded'))::int as succeeded,
              (count(*) filter (where state = 'failed' and charges > 0))::int as charged_failures,
              sum(refunds)::int as refunds, max(charges)::int as most_charges, max(refunds)::int as most_refunds
         from task t, lateral (
           select count(*) filter (where kind = 'charge') as charges, count(*) filter (where kind = 'refund') as refunds
             from entry e where e.task_id = t.id and e.wallet_id is not null
         ) e`,
    );
    expect(sums.tasks).toBe(TASKS);
    expect(sums.succeeded).toBeGreaterThan(0);
    expect(sums.refunds).toBe(sums.charged_failures);
    expect(sums.refunds).toBeGreaterThan(0);
    expect(sums).toMatchObject({ most_charges: 1, most_refunds: 1 });
    const [wallet] = await database.query('select balance, held from wallet where id = $1', [payer.walletId]);
    const spent = BigInt(sums.succeeded) * 100_000_000n;
    expect(wallet).toEqual({ balance: (100_000_000_000n - spent).toString(), held: '0' });
    expect(await new WalletLedger(database).findDrift()).toEqual([]);
  },
);
