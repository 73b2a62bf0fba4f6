import { type HoldOwner, newId, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { JournalLedger } from './post-journal.js';
import { ProcessLedger } from './process-ledger.js';
import { WalletLedger } from './wallet-ledger.js';

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let processes: ProcessLedger;
let journal: JournalLedger;

beforeAll(async () => {
  test = await openTestDatabase(8);
  ({ database } = test);
  ledger = new WalletLedger(database);
  processes = new ProcessLedger(database);
  journal = new JournalLedger(database);
});

afterAll(() => test.stop());

async function openCall(owner: HoldOwner, ttlSeconds = 600) {
  const payer = await seedPayer(database, { balance: 1_000_000_000n, price: { output_per_million: '1000' } });
  const request = buildHoldRequest(payer, { owner, ttlSeconds });
  await ledger.openHolds([request]);
  const append = (phase: 'checkpoint' | 'usage', seq: number, outputTokens: number) =>
    writeJournal(database, [
      {
        requestId: request.id,
        phase,
        seq,
        usage: { ...NO_USAGE, outputTokens },
        estimated: phase !== 'usage',
      },
    ]);
  return { payer, request, append };
}

const postAll = () => journal.postWaiting({ limit: 500, wait: false });
const newOwner = (): HoldOwner => ({ instance: `gateway-${newId()}`, epoch: newId() });

const fallSilent = (owner: HoldOwner, seconds: number) =>
  database.query(
    `update plane_instance set seen_at = now() - make_interval(secs => $2),
            started_at = started_at - make_interval(secs => $2)
      where instance = $1`,
    [owner.instance, seconds],
  );

const passDeadlinesBy = (seconds: number) =>
  database.query(`update hold set expires_at = now() - make_interval(secs => $1) where state = 'open'`, [
    seconds,
  ]);

async function readHold(id: string): Promise<unknown> {
  const [hold] = await database.query('select state, charged, estimated from hold where id = $1', [id]);
  return hold;
}

async function readLog(id: string): Promise<unknown> {
  const [log] = await database.query(
    'select cost, estimated, reason from request_log where request_id = $1',
    [id],
  );
  return log;
}

describe('sweeping', () => {
  it('ends the calls of a process that has a new epoch: charged to the last checkpoint, else released', async () => {
    const owner = newOwner();
    await processes.recordHeartbeat(owner);
    const streamed = await openCall(owner);
    const silent = await openCall(owner);
    await streamed.append('checkpoint', 0, 10);
    await streamed.append('checkpoint', 1, 25);
    await postAll();
    expect(await ledger.sweep(500)).toEqual([]);

    expect(await processes.recordHeartbeat({ ...owner, epoch: newId() })).toBe(true);
    const outcomes = (await ledger.sweep(500)).map((swept) => [
      swept.requestId,
      swept.outcome,
      swept.charged,
    ]);
    expect(outcomes.sort()).toEqual(
      [
        [streamed.request.id, 'posted', 25_000_000n],
        [silent.request.id, 'expired', undefined],
      ].sort(),
    );
    expect(await readHold(streamed.request.id)).toEqual({
      state: 'posted',
      charged: '25000000',
      estimated: true,
    });
    expect(await readLog(streamed.request.id)).toEqual({
      cost: '25000000',
      estimated: true,
      reason: 'gateway_lost',
    });
    expect(await readLog(silent.request.id)).toMatchObject({ cost: '0' });

    await streamed.append('usage', 9, 30);
    await silent.append('usage', 9, 5);
    const late = await postAll();
    expect(late.rows.map((posted) => posted.outcome).sort()).toEqual(['late_charge', 'true_up']);
    expect(await readLog(streamed.request.id)).toMatchObject({ cost: '30000000', estimated: false });
    expect(await readLog(silent.request.id)).toMatchObject({ cost: '5000000' });
  });

  it('logs calls that were charged before their process could log them', async () => {
    const owner = newOwner();
    await processes.recordHeartbeat(owner);
    const call = await openCall(owner);
    await call.append('usage', 0, 7);
    await postAll();
    expect(await processes.logLostCalls(600)).toBe(0);
    await processes.recordHeartbeat({ ...owner, epoch: newId() });
    expect(await processes.logLostCalls(600)).toBe(1);
    expect(await processes.logLostCalls(600)).toBe(0);
    expect(await readLog(call.request.id)).toEqual({
      cost: '7000000',
      estimated: false,
      reason: 'gateway_lost',
    });
  });

  it('logs such calls of every process that has ended, and those that are posted late, until its time is over', async () => {
    const [owner, silent] = [newOwner(), newOwner()];
    const calls = [];
    for (const life of [owner, silent]) {
      await processes.recordHeartbeat(life);
      const call = await openCall(life);
      await call.append('usage', 0, 7);
      calls.push(call);
    }
    await postAll();
    await processes.recordHeartbeat({ ...owner, epoch: newId() });
    await processes.recordHeartbeat({ ...owner, epoch: newId() });
    await fallSilent(silent, 61);
    await processes.endUnresponsiveOwners(60);
    expect(await processes.logLostCalls(600)).toBe(2);
    expect(await processes.logLostCalls(600)).toBe(0);
    const late = await openCall(owner);
    await late.append('usage', 0, 7);
    await postAll();
    expect(await processes.logLostCalls(0)).toBe(1);
    for (const { request } of [...calls, late]) {
      expect(await readLog(request.id)).toMatchObject({ cost: '7000000', reason: 'gateway_lost' });
    }
    expect(await database.query('select instance from ended_life')).toEqual([]);
  });

  it('logs a call that another process went on with at what it cost in the end', async () => {
    const lost = newOwner();
    await processes.recordHeartbeat(lost);
    const call = await openCall(lost);
    await processes.recordHeartbeat({ ...lost, epoch: newId() });
    await ledger.sweep(500);
    expect(await readLog(call.request.id)).toMatchObject({ cost: '0', reason: 'gateway_lost' });

    await ledger.openHolds([{ ...call.request, owner: newOwner() }]);
    await call.append('usage', 9, 7);
    const { rows } = await postAll();
    expect(rows).toMatchObject([{ requestId: call.request.id, outcome: 'posted' }]);
    expect(await readLog(call.request.id)).toMatchObject({ cost: '7000000', estimated: false });
  });

  it('leaves a new epoch its own holds, also those it opened before it announced itself', async () => {
    const owner = newOwner();
    await processes.recordHeartbeat(owner);
    const successor = { ...owner, epoch: newId() };
    const early = await openCall(successor);
    expect(await ledger.sweep(500)).toEqual([]);
    await processes.recordHeartbeat(successor);
    expect(await processes.recordHeartbeat(owner)).toBe(false);
    expect(await ledger.sweep(500)).toEqual([]);
    await ledger.voidHold(early.request.id);
  });

  it('leaves to the journal what waits in the journal', async () => {
    const owner = newOwner();
    await processes.recordHeartbeat(owner);
    const call = await openCall(owner);
    await call.append('usage', 0, 7);
    await processes.recordHeartbeat({ ...owner, epoch: newId() });
    expect(await ledger.sweep(500)).toEqual([]);
    await postAll();
    expect(await readHold(call.request.id)).toEqual({
      state: 'posted',
      charged: '7000000',
      estimated: false,
    });
  });

  it('ends a hold past its deadline at once when its owner is silent, a minute later when it is not', async () => {
    const silent = await openCall(newOwner(), 600);
    const living = newOwner();
    await processes.recordHeartbeat(living);
    const slow = await openCall(living, 600);
    expect(await ledger.sweep(500)).toEqual([]);
    await passDeadlinesBy(1);
    expect((await ledger.sweep(500)).map((swept) => swept.requestId)).toEqual([silent.request.id]);
    await passDeadlinesBy(61);
    expect((await ledger.sweep(500)).map((swept) => swept.requestId)).toEqual([slow.request.id]);
  });

  it('F4: ends the calls of a process that is silent for a minute, whatever its successor is called', async () => {
    const [lost, successor] = [newOwner(), newOwner()];
    await processes.recordHeartbeat(lost);
    const call = await openCall(lost);
    const streamed = await openCall(lost);
    await streamed.append('checkpoint', 0, 10);
    await postAll();
    await fallSilent(lost, 61);
    expect(await ledger.sweep(500)).toEqual([]);

    await processes.recordHeartbeat(successor);
    expect(await processes.endUnresponsiveOwners(60)).toContainEqual(lost);
    expect((await ledger.sweep(500)).map((swept) => [swept.requestId, swept.outcome]).sort()).toEqual(
      [
        [call.request.id, 'expired'],
        [streamed.request.id, 'posted'],
      ].sort(),
    );
    expect(await ledger.sweep(500)).toEqual([]);
  });

  it('F4: leaves a process its calls whose heartbeats come again before it was swept, and charges late usage once', async () => {
    const [frozen, other] = [newOwner(), newOwner()];
    await processes.recordHeartbeat(frozen);
    await processes.recordHeartbeat(other);
    const early = await openCall(frozen);
    await fallSilent(frozen, 70);
    await processes.endUnresponsiveOwners(60);
    await ledger.sweep(500);
    await early.append('usage', 0, 5);
    expect((await postAll()).rows).toMatchObject([{ requestId: early.request.id, outcome: 'late_charge' }]);

    const afterwards = await openCall(frozen);
    await processes.recordHeartbeat(frozen);
    expect(await ledger.sweep(500)).toEqual([]);
    await ledger.voidHold(afterwards.request.id);
  });

  it('F4: forgets processes a day after their end, and frees what they may have left all the same', async () => {
    const [old, recent, living] = [newOwner(), newOwner(), newOwner()];
    for (const owner of [old, recent, living]) await processes.recordHeartbeat(owner);
    const left = await openCall(old);
    await passDeadlinesBy(1);
    const endBefore = (owner: HoldOwner, hours: number) =>
      database.query(
        'update plane_instance set ended_at = now() - make_interval(hours => $2) where instance = $1',
        [owner.instance, hours],
      );
    await endBefore(old, 25);
    await endBefore(recent, 23);
    await processes.deleteEndedOwners();
    const known = await database.query<{ instance: string }[]>(
      'select instance from plane_instance where instance = any ($1)',
      [[old, recent, living].map(({ instance }) => instance)],
    );
    expect(known.map(({ instance }) => instance).sort()).toEqual([recent.instance, living.instance].sort());
    expect((await ledger.sweep(500)).map((swept) => swept.requestId)).toEqual([left.request.id]);
  });

  it('is done by one plane at a time', async () => {
    const owner = newOwner();
    await processes.recordHeartbeat(owner);
    await Promise.all(Array.from({ length: 20 }, () => openCall(owner)));
    await processes.recordHeartbeat({ ...owner, epoch: newId() });
    const sweeps = await Promise.all(Array.from({ length: 4 }, () => ledger.sweep(500)));
    expect(sweeps.flat()).toHaveLength(20);
  });
});

it('has left the ledger balanced', async () => {
  expect(await ledger.findDrift()).toEqual([]);
});
