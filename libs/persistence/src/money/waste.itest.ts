import {
  type HoldOwner,
  type JournalRow,
  newId,
  NO_USAGE,
  type TaskEndState,
  type WastedAttempt,
} from '@mg/contract';
import { buildHoldRequest, buildTaskRequest, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { measureTexts } from '../testing/measure-texts.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { TaskLedger } from '../tasks/task-ledger.js';
import { LedgerCheck } from './ledger-check.js';
import { JournalLedger } from './post-journal.js';
import { ProcessLedger } from './process-ledger.js';
import { WalletLedger } from './wallet-ledger.js';
import { WasteLedger } from './waste-ledger.js';

const USD = 1_000_000_000n;
/** 0.001 USD for each token. */
const PRICE = { input_per_million: '1000', output_per_million: '1000' };

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let processes: ProcessLedger;
let journal: JournalLedger;
let waste: WasteLedger;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  ledger = new WalletLedger(database);
  processes = new ProcessLedger(database);
  journal = new JournalLedger(database);
  waste = new WasteLedger(database);
});

afterAll(() => test.stop());

async function openCall(owner: HoldOwner = { instance: `gateway-${newId()}`, epoch: newId() }) {
  const payer = await seedPayer(database, { balance: USD, price: PRICE });
  const request = buildHoldRequest(payer, { owner });
  await ledger.openHolds([request]);
  const end = (changes: Partial<JournalRow>): JournalRow => ({
    requestId: request.id,
    seq: 0,
    phase: 'usage',
    usage: { ...NO_USAGE, outputTokens: 10 },
    estimated: false,
    payer: { walletId: payer.walletId, tokenId: payer.tokenId, priceVersionId: payer.priceVersionId },
    ...changes,
  });
  return { payer, request, owner, end };
}

function attempt(number: number, channel: string, inputTokens: number): WastedAttempt {
  return { attempt: number, channel, reason: 'timed_out', usage: { ...NO_USAGE, inputTokens } };
}

const post = () => journal.postWaiting({ limit: 500, wait: false });

async function readWallet(walletId: string): Promise<unknown> {
  const [wallet] = await database.query('select balance, held from wallet where id = $1', [walletId]);
  return wallet;
}

/** The waste of a call, by channel, and its legs in the ledger. */
async function readWaste(requestId: string) {
  const rows = await database.query(
    'select attempt, channel, reason, amount from waste where request_id = $1 order by attempt',
    [requestId],
  );
  const legs = await database.query(
    `select account, sum(amount) as amount from entry
      where request_id like $1 || '/%' and kind = 'waste' and wallet_id is null and token_id is null
      group by account order by account`,
    [requestId],
  );
  return { rows, legs };
}

async function expectLedgerBalanced(): Promise<void> {
  expect(await ledger.findDrift()).toEqual([]);
  const books = new LedgerCheck(database);
  while ((await books.step({ roundEverySeconds: 0, entries: 1_000_000 })) && !(await books.find()));
  expect((await books.find())?.rows).toEqual([]);
}

describe('F11: waste', () => {
  it('is booked once for each attempt, also two of one channel, and no wallet pays it', async () => {
    const { payer, request, end } = await openCall();
    const row = end({ waste: [attempt(0, 'a', 5), attempt(1, 'b', 7), attempt(2, 'a', 5)] });
    await writeJournal(database, [row]);
    const first = await post();
    expect(first.waste).toHaveLength(3);
    expect(await readWaste(request.id)).toEqual({
      rows: [
        { attempt: 0, channel: 'a', reason: 'timed_out', amount: '5000000' },
        { attempt: 1, channel: 'b', reason: 'timed_out', amount: '7000000' },
        { attempt: 2, channel: 'a', reason: 'timed_out', amount: '5000000' },
      ],
      legs: [
        { account: 'system:upstream', amount: '17000000' },
        { account: 'waste:a', amount: '-10000000' },
        { account: 'waste:b', amount: '-7000000' },
      ],
    });
    expect(await readWallet(payer.walletId)).toEqual({ balance: String(USD - 10_000_000n), held: '0' });
    await expectLedgerBalanced();
  });

  it('is booked once after a replay, a doubled message and a process that stopped before it posted', async () => {
    const { payer, request, end } = await openCall();
    const row = end({ waste: [attempt(0, 'a', 5)] });
    await writeJournal(database, [row]);
    await waste.book([
      {
        request_id: request.id,
        attempt: 0,
        channel: 'a',
        model: payer.model,
        reason: 'timed_out',
        amount: '5000000',
        usage: {} as never,
      },
    ]);
    await Promise.all(Array.from({ length: 8 }, post));
    await writeJournal(database, [row, { ...row, seq: 1 }]);
    expect((await post()).waste).toEqual([]);
    const { rows, legs } = await readWaste(request.id);
    expect(rows).toHaveLength(1);
    expect(legs).toEqual([
      { account: 'system:upstream', amount: '5000000' },
      { account: 'waste:a', amount: '-5000000' },
    ]);
    await expectLedgerBalanced();
  });

  it('is booked for a call that costs nothing, which it still does', async () => {
    const { payer, request, end } = await openCall();
    await writeJournal(database, [end({ phase: 'cancel', usage: NO_USAGE, waste: [attempt(0, 'a', 5)] })]);
    const { rows } = await post();
    expect(rows).toMatchObject([{ outcome: 'voided' }]);
    expect((await readWaste(request.id)).rows).toMatchObject([{ amount: '5000000' }]);
    expect(await readWallet(payer.walletId)).toEqual({ balance: String(USD), held: '0' });
    await expectLedgerBalanced();
  });

  it('is booked at the price of the model that was tried, for each attempt', async () => {
    const other = await seedPayer(database, { balance: USD, price: { input_per_million: '2000' } });
    const { request, end } = await openCall();
    const waste = [
      { ...attempt(0, 'a', 5), priceVersionId: other.priceVersionId },
      attempt(1, 'b', 5),
      { ...attempt(2, 'c', 5), priceVersionId: newId() },
    ];
    await writeJournal(database, [end({ waste })]);
    await post();
    const rows = await database.query(
      'select channel, model = $2 as "isOther", amount from waste where request_id = $1 order by attempt',
      [request.id, other.model],
    );
    expect(rows).toEqual([
      { channel: 'a', isOther: true, amount: '10000000' },
      { channel: 'b', isOther: false, amount: '5000000' },
      { channel: 'c', isOther: false, amount: '5000000' },
    ]);
    await expectLedgerBalanced();
  });

  it('of hundreds of calls with many attempts each, as after an outage, is written one part after another', async () => {
    const calls = await Promise.all(Array.from({ length: 4 }, () => openCall()));
    const attempts = Array.from({ length: 60 }, (_, at) => attempt(at, 'a', 1));
    const rows = Array.from({ length: 40 }, (_, at) => {
      const call = calls[at % calls.length];
      return { ...call!.end({ waste: attempts }), requestId: newId() };
    });
    let posted = 0;
    const { longest } = await measureTexts(database, async () => {
      await writeJournal(database, rows);
      for (let taken = 1; taken > 0; posted += taken) ({ taken } = await post());
    });
    expect(posted).toBe(rows.length);
    expect(longest).toBeLessThanOrEqual(320 * 1024);
    const [booked] = await database.query(
      'select count(*)::int as n from waste where request_id = any ($1)',
      [rows.map(({ requestId }) => requestId)],
    );
    expect(booked.n).toBe(40 * 60);
  });

  it('of which only a part could be booked is answered as a whole once the rest is', async () => {
    const facts = { attempt: 0, channel: 'a', model: 'm', reason: 'timed_out', usage: {} as never } as const;
    const attempts = Array.from({ length: 700 }, () => ({ request_id: newId(), amount: '1', ...facts }));
    let calls = 0;
    const query = async (_: string, [items]: [string]) => {
      if (++calls === 2) throw new Error('gone');
      return JSON.parse(items);
    };
    const halting = new WasteLedger({ query } as never);
    await expect(halting.book(attempts)).rejects.toThrow('gone');
    const { booked } = await halting.retryFailed();
    expect([booked.length, calls]).toEqual([attempts.length, 3]);
  });

  it('that cannot be booked is given up after a time, and counted', async () => {
    const broken = new WasteLedger({ query: () => Promise.reject(new Error('gone')) } as never, 0);
    const facts = { attempt: 0, channel: 'a', model: 'm', reason: 'timed_out', usage: {} as never } as const;
    await expect(broken.book([{ request_id: newId(), amount: '1', ...facts }])).rejects.toThrow('gone');
    expect(await broken.retryFailed()).toEqual({ booked: [], givenUp: 1, reason: 'gone' });
    expect(await broken.retryFailed()).toMatchObject({ booked: [], givenUp: 0 });
  });

  it('does not keep a call from being charged when it cannot be booked', async () => {
    const { payer, end } = await openCall();
    await writeJournal(database, [end({ waste: [attempt(0, 'a', 5)] })]);
    await database.query('alter table waste rename to waste_away');
    try {
      const batch = await post();
      expect(batch.wasteFailure?.message).toContain('waste');
      expect(batch.rows).toMatchObject([{ outcome: 'posted' }]);
    } finally {
      await database.query('alter table waste_away rename to waste');
    }
    expect(await readWallet(payer.walletId)).toMatchObject({ balance: String(USD - 10_000_000n) });
  });
});

describe('F11: a call whose gateway was killed before any checkpoint', () => {
  async function loseCall() {
    const call = await openCall();
    await processes.recordHeartbeat(call.owner);
    await processes.recordHeartbeat({ ...call.owner, epoch: newId() });
    const swept = await ledger.sweep(500);
    expect(swept.map(({ requestId }) => requestId)).toContain(call.request.id);
    return { ...call, bookLost: () => waste.bookLostCalls(swept.map(({ requestId }) => requestId)) };
  }

  it('is booked once, at what was held where no call of its model is known', async () => {
    const { payer, request, bookLost } = await loseCall();
    expect(await bookLost()).toEqual([{ channel: '', reason: 'gateway_lost', amount: 100_000_000n }]);
    expect(await bookLost()).toEqual([]);
    expect((await readWaste(request.id)).rows).toEqual([
      { attempt: -1, channel: '', reason: 'gateway_lost', amount: '100000000' },
    ]);
    expect(await readWallet(payer.walletId)).toEqual({ balance: String(USD), held: '0' });
    await expectLedgerBalanced();
  });

  it('is booked at what calls of its model cost of late', async () => {
    const { payer, bookLost } = await loseCall();
    await database.query(
      `insert into usage_cell (grain, at, user_id, token_id, model, channel, calls, errors, input_tokens, output_tokens, cost)
       values ('day', date_trunc('day', now()), $1, $2, $3, 'a', 5, 1, 0, 0, 8000)`,
      [newId(), payer.tokenId, payer.model],
    );
    expect(await bookLost()).toMatchObject([{ amount: 2_000n }]);
  });

  it('is what its gateway says of its attempts when that was only cut off', async () => {
    const { request, bookLost, end } = await loseCall();
    await bookLost();
    await writeJournal(database, [end({ phase: 'cancel', usage: NO_USAGE, waste: [attempt(0, 'a', 5)] })]);
    await post();
    expect((await readWaste(request.id)).rows).toEqual([
      { attempt: 0, channel: 'a', reason: 'timed_out', amount: '5000000' },
    ]);
    await expectLedgerBalanced();
  });

  it('is no waste any more when its usage comes after all', async () => {
    const { request, bookLost, end } = await loseCall();
    await bookLost();
    await writeJournal(database, [end({})]);
    expect((await post()).rows).toMatchObject([{ outcome: 'late_charge' }]);
    const { rows, legs } = await readWaste(request.id);
    expect(rows).toEqual([]);
    expect(legs).toEqual([
      { account: 'system:upstream', amount: '0' },
      { account: 'waste:', amount: '0' },
    ]);
    await expectLedgerBalanced();
  });
});

describe('F11: waste that cannot be booked', () => {
  it('F11: is booked later, and the call is charged meanwhile', async () => {
    const { payer, request, end } = await openCall();
    await writeJournal(database, [end({ waste: [attempt(0, 'a', 5)] })]);
    const other = database.createQueryRunner();
    await other.startTransaction();
    await other.query('lock table waste in access exclusive mode');
    try {
      const own = new WasteLedger(database);
      const posted = await new JournalLedger(database, own).postWaiting({ limit: 500, wait: false });
      expect(posted.wasteFailure?.message).toMatch(/lock timeout/);
      expect(posted.rows).toMatchObject([{ requestId: request.id, outcome: 'posted' }]);
      expect((await own.retryFailed()).booked).toEqual([]);
      await other.rollbackTransaction();
      const booked = [{ channel: 'a', reason: 'timed_out', amount: 5_000_000n }];
      expect(await own.retryFailed()).toMatchObject({ booked, givenUp: 0 });
      expect(await own.retryFailed()).toMatchObject({ booked: [], givenUp: 0 });
    } finally {
      if (other.isTransactionActive) await other.rollbackTransaction();
      await other.release();
    }
    expect((await readWaste(request.id)).rows).toHaveLength(1);
    expect(await readWallet(payer.walletId)).toMatchObject({ held: '0' });
    await expectLedgerBalanced();
  });
});

describe('F11: a video that was refunded after a provider had taken it', () => {
  const tasks = () => new TaskLedger(database);

  async function endVideo(state: TaskEndState, isSubmitted: boolean): Promise<string> {
    const payer = await seedPayer(database, { balance: USD });
    const { hold, task } = buildTaskRequest(payer);
    await tasks().openTask({ hold, task });
    if (isSubmitted) {
      await database.query(
        `update task set state = 'running', channel_name = 'films', submitted_at = now() where id = $1`,
        [task.id],
      );
      await tasks().chargeTask(task.id);
    }
    await tasks().endTask({ taskId: task.id, state, note: 'test' });
    return task.id;
  }

  it.each([
    ['expired', 'timed_out'],
    ['cancelled', 'abandoned'],
  ] as const)('F11: is waste of its channel when it %s, once', async (state, reason) => {
    const id = await endVideo(state, true);
    expect(await waste.bookRefundedVideos(100)).toEqual([{ channel: 'films', reason, amount: 100_000_000n }]);
    expect(await waste.bookRefundedVideos(100)).toEqual([]);
    const { rows, legs } = await readWaste(id);
    expect(rows).toEqual([{ attempt: 0, channel: 'films', reason, amount: '100000000' }]);
    expect(legs).toEqual([
      { account: 'system:upstream', amount: '100000000' },
      { account: 'waste:films', amount: '-100000000' },
    ]);
    await expectLedgerBalanced();
  });

  it.each([
    ['failed', true],
    ['cancelled', false],
    ['expired', false],
    ['succeeded', true],
  ] as const)('F11: is none when it %s (submitted: %s)', async (state, isSubmitted) => {
    await endVideo(state, isSubmitted);
    expect(await waste.bookRefundedVideos(100)).toEqual([]);
  });
});
