import {
  type HoldRequest,
  type JournalPhase,
  newId,
  NO_USAGE,
  omitUndefined,
  TASK_ENDS,
  type TaskEndOutcome,
  type TaskOpenRequest,
} from '@mg/contract';
import { buildHoldRequest, buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it, onTestFailed, vi } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { TaskLedger } from '../tasks/task-ledger.js';
import { createDice, type Dice } from '../testing/create-dice.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { isOverdue, repeatOverdue } from '../testing/repeat-overdue.js';
import { JournalLedger } from './post-journal.js';
import { ProcessLedger } from './process-ledger.js';
import { WalletLedger } from './wallet-ledger.js';

const WORKERS = 16;
const STEPS = 200;
/** What every worker does follows from it: `BANK_SEED=995693 npx vitest run --project integration libs/persistence/src/money/bank.itest.ts`. */
const SEED = Number(process.env.BANK_SEED ?? Date.now() % 1_000_000);

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let processes: ProcessLedger;
let journal: JournalLedger;
let tasks: TaskLedger;

beforeAll(async () => {
  test = await openTestDatabase(20);
  ({ database } = test);
  ledger = new WalletLedger(database);
  processes = new ProcessLedger(database);
  journal = new JournalLedger(database);
  tasks = new TaskLedger(database);
});

afterAll(() => test.stop());

/** What happens to video tasks, whichever worker opened them: ends come twice at once, and different ones. */
function listTaskActions(
  roll: Dice,
  payers: readonly Payer[],
  opened: TaskOpenRequest[],
): (() => Promise<unknown>)[] {
  const pick = () => opened[roll(opened.length)] as TaskOpenRequest;
  const open = async () => {
    const wanted = BigInt(roll(200) * 1_000_000);
    const request = buildTaskRequest(payers[roll(payers.length)] as Payer, {
      hold: { wanted, minimum: wanted },
      task: omitUndefined({
        deadlineSeconds: 1 + roll(3),
        callbackUrl: roll(2) === 0 ? 'https://example.com/' : undefined,
      }),
    });
    opened.push(request);
    await tasks.openTask(request);
    return request.task.id;
  };
  const end = (taskId: string): Promise<TaskEndOutcome | undefined> => {
    const state = TASK_ENDS[roll(TASK_ENDS.length)] ?? 'failed';
    return tasks.endTask({ taskId, state, actualSeconds: roll(9), note: 'test' }).catch(ignoreUnknown);
  };
  return [
    open,
    open,
    () => {
      const { hold, task } = pick();
      return tasks.openTask({ hold: { ...hold, owner: { instance: 'successor', epoch: newId() } }, task });
    },
    () => tasks.chargeTask(pick().task.id).catch(ignoreUnknown),
    () => tasks.chargeTask(pick().task.id).catch(ignoreUnknown),
    // Few of the tasks that are picked at random are charged and not yet ended: this one usually succeeds.
    async () => {
      const taskId = await open();
      await tasks.chargeTask(taskId).catch(ignoreUnknown);
      await tasks
        .endTask({ taskId, state: 'succeeded', actualSeconds: roll(9), note: 'test' })
        .catch(ignoreUnknown);
    },
    async () => {
      const { id } = pick().task;
      const outcomes = await Promise.all([
        end(id),
        end(id),
        tasks.chargeTask(id).catch(ignoreUnknown),
        end(id),
      ]);
      const ended = outcomes.filter((outcome) => typeof outcome === 'object');
      expect(new Set(ended.map((outcome) => outcome.state)).size).toBeLessThan(2);
      // A cashier may give it back between two answers: nothing is charged then.
      const charges = ended.map((outcome) => outcome.charged).filter((charged) => charged > 0n);
      expect(new Set(charges).size).toBeLessThan(2);
      expect(ended.filter((outcome) => outcome.ended).length).toBeLessThan(2);
    },
    () => ledger.refund(pick().task.id, 'by the operator').catch(ignoreUnknown),
    () =>
      writeJournal(database, [
        { requestId: pick().task.id, seq: 0, phase: 'cancel', usage: NO_USAGE, estimated: false },
      ]),
    () => tasks.sweepTasks({ graceSeconds: 0, limit: 20 }),
  ];
}

/** A task that was refused, or a hold still open, cannot be worked on, nor what is locked for long; everything else is a fault. */
function ignoreUnknown(error: unknown): undefined {
  if (isOverdue(error)) return undefined;
  const { code } = error as { readonly code?: string };
  expect(['not_found', 'conflict']).toContain(code);
  return undefined;
}

/** One worker: a gateway that opens, settles, repeats itself, dies and comes back, beside a cashier. */
async function work(worker: number, payers: readonly Payer[], opened: TaskOpenRequest[]): Promise<void> {
  const roll = createDice(SEED + worker * 7_919);
  const pick = <Item>(items: readonly Item[]): Item => items[roll(items.length)] as Item;
  const owner = { instance: `gateway-${worker}`, epoch: newId() };
  const asked: HoldRequest[] = [buildHoldRequest(pick(payers), { owner })];

  const append = async (phase: JournalPhase): Promise<void> => {
    const usage = { ...NO_USAGE, outputTokens: roll(100) };
    const { id: requestId, ...payer } = pick(asked);
    const row = { requestId, seq: roll(3), phase, usage, estimated: roll(4) === 0, payer };
    await writeJournal(database, [row, row]);
  };
  const actions: (() => Promise<unknown>)[] = [
    async () => {
      const requests = Array.from({ length: 1 + roll(6) }, () =>
        buildHoldRequest(pick(payers), {
          owner: { ...owner },
          wanted: BigInt(roll(200) * 1_000_000),
          minimum: 1_000_000n,
        }),
      );
      asked.push(...requests);
      await ledger.openHolds(requests);
    },
    () => ledger.openHolds([pick(asked)]),
    () => append('usage'),
    () => append('usage'),
    () => append('checkpoint'),
    () => append('cancel'),
    () => journal.postWaiting({ limit: 1 + roll(50), wait: roll(2) === 0 }),
    () => ledger.voidHold(pick(asked).id),
    () => ledger.refund(pick(asked).id, 'test').catch(() => undefined),
    () =>
      ledger
        .topUp({
          walletId: pick(payers).walletId,
          amount: BigInt(roll(9) * 50_000_000 - 100_000_000 || 1),
          note: '',
          idempotencyKey: `key-${roll(40)}`,
        })
        .catch(() => undefined),
    async () => {
      if (roll(4) === 0) owner.epoch = newId();
      await processes.recordHeartbeat(owner);
    },
    () => ledger.sweep(50),
    async () => expect(await ledger.findDrift(), `seed ${SEED}`).toEqual([]),
    ...listTaskActions(roll, payers, opened),
  ];
  for (let step = 0; step < STEPS; step++) await repeatOverdue(pick(actions));
}

it(`keeps the ledger balanced through ${WORKERS * STEPS} mixed operations at once (seed ${SEED})`, async () => {
  onTestFailed(() => void process.stderr.write(`Run it again with BANK_SEED=${SEED}\n`));
  const payers = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      seedPayer(database, {
        balance: 2_000_000_000n,
        price: { output_per_million: '1000' },
        ...omitUndefined({ quota: index % 2 === 0 ? 3_000_000_000n : undefined }),
      }),
    ),
  );
  const opened = [buildTaskRequest(payers[0] as Payer, { task: { deadlineSeconds: 1 } })];
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker, payers, opened)));

  // What was postponed while a wallet was busy need not be waited for here.
  await database.query('update usage_journal set retry_at = null where posted_at is null');
  while ((await journal.postWaiting({ limit: 500, wait: true })).taken > 0);
  for (let worker = 0; worker < WORKERS; worker++) {
    await processes.recordHeartbeat({ instance: `gateway-${worker}`, epoch: newId() });
    await processes.recordHeartbeat({ instance: `gateway-${worker}`, epoch: newId() });
  }
  while ((await ledger.sweep(500)).length > 0);
  await vi.waitFor(
    async () => {
      await tasks.sweepTasks({ graceSeconds: 0, limit: 500 });
      const [left] = await database.query('select count(*) from task where not is_task_end(state)');
      expect(left.count).toBe('0');
    },
    { timeout: 30_000 },
  );

  expect(await ledger.findDrift()).toEqual([]);
  for (const totals of await ledger.totalOpenHolds()) {
    expect(totals).toMatchObject({ count: 0, amount: 0n });
  }
  const [counts] = await database.query(
    `select count(*) filter (where kind in ('charge', 'late_charge') and n > 1) as charged_twice,
            count(*) filter (where kind = 'charge') as charges
       from (select request_id, min(kind) as kind, count(*) as n from entry
              where wallet_id is not null and kind in ('charge', 'late_charge') group by request_id) e`,
  );
  expect(counts.charged_twice).toBe('0');
  expect(Number(counts.charges)).toBeGreaterThan(20);

  const ends: { state: string; tasks: number; charged: number; refunded: number; wrong: number }[] =
    await database.query(
      `select t.state, count(*)::int as tasks, sum(charges)::int as charged, sum(refunds)::int as refunded,
              (count(*) filter (where charges > 1 or refunds > charges or (t.state <> 'succeeded' and refunds <> charges)))::int as wrong
         from task t, lateral (
           select count(*) filter (where kind = 'charge') as charges, count(*) filter (where kind = 'refund') as refunds
             from entry e where e.task_id = t.id and e.wallet_id is not null and e.amount <> 0
         ) e group by t.state order by t.state`,
    );
  expect(ends.map((end) => end.state)).toEqual([...TASK_ENDS].toSorted());
  for (const end of ends) expect(end, `seed ${SEED}`).toMatchObject({ wrong: 0 });
  expect(ends.reduce((sum, end) => sum + end.refunded, 0)).toBeGreaterThan(20);
});
