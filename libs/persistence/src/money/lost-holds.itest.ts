import { type HoldRequest, type JournalRow, newId, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal, writeRequestLog } from '../journal/write-journal.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { JournalLedger } from './post-journal.js';
import { WalletLedger } from './wallet-ledger.js';

const USD = 1_000_000_000n;
const PRICE = { input_per_million: '1', output_per_million: '1000' };

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let journal: JournalLedger;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  ledger = new WalletLedger(database);
  journal = new JournalLedger(database);
});

afterAll(() => test.stop());

/** A call whose hold a standby that took over never had. */
async function startCall(options: { quota?: bigint } = {}): Promise<{ payer: Payer; request: HoldRequest }> {
  const payer = await seedPayer(database, { balance: USD, price: PRICE, ...options });
  return { payer, request: buildHoldRequest(payer) };
}

/** A journal row of so many output tokens, 0.001 USD each. */
function row(request: HoldRequest, outputTokens: number, changes: Partial<JournalRow> = {}): JournalRow {
  const { walletId, tokenId, priceVersionId } = request;
  return {
    requestId: request.id,
    seq: 0,
    phase: 'usage',
    usage: { ...NO_USAGE, outputTokens },
    estimated: false,
    payer: { walletId, tokenId, priceVersionId },
    ...changes,
  };
}

async function post(...rows: JournalRow[]): Promise<string[]> {
  await writeJournal(database, rows);
  const batch = await journal.postWaiting({ limit: 500, wait: false });
  return batch.rows.map((posted) => posted.outcome);
}

async function readAccount(payer: Payer) {
  const [account] = await database.query(
    `select w.balance, w.held, t.used, t.held as token_held,
            array(select e.kind || ' ' || e.amount from entry e where e.wallet_id = w.id and e.kind <> 'topup'
                   order by e.id) as entries
       from wallet w join token t on t.wallet_id = w.id where w.id = $1`,
    [payer.walletId],
  );
  return account;
}

describe('F10: usage whose hold was lost', () => {
  it('is charged late, once, to the wallet and token that its row names', async () => {
    const { payer, request } = await startCall({ quota: USD });
    expect(await post(row(request, 30))).toEqual(['late_charge']);
    expect(await post(row(request, 30, { seq: 1 }))).toEqual(['repeated']);
    expect(await readAccount(payer)).toEqual({
      balance: '970000000',
      held: '0',
      used: '30000000',
      token_held: '0',
      entries: ['late_charge -30000000'],
    });
  });

  it('is charged once, however many billing planes post it', async () => {
    const { payer, request } = await startCall();
    await writeJournal(database, [row(request, 30), row(request, 30, { seq: 1 })]);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => journal.postWaiting({ limit: 500, wait: index % 2 === 0 })),
    );
    expect((await readAccount(payer)).entries).toEqual(['late_charge -30000000']);
  });

  it('is corrected like any other when it was an estimate', async () => {
    const { payer, request } = await startCall();
    expect(await post(row(request, 30, { estimated: true }))).toEqual(['late_charge']);
    expect(await post(row(request, 20, { seq: 1 }))).toEqual(['true_up']);
    expect((await readAccount(payer)).entries).toEqual(['late_charge -30000000', 'true_up 10000000']);
  });

  it('is charged beside others, of which one wallet is locked', async () => {
    const [locked, free] = [await startCall(), await startCall()];
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from wallet where id = $1 for update', [locked.payer.walletId]);
    const outcomes = await post(row(locked.request, 30), row(free.request, 30));
    await runner.rollbackTransaction();
    await runner.release();
    expect(outcomes.toSorted()).toEqual(['late_charge', 'postponed']);
    await database.query('update usage_journal set retry_at = null where request_id = $1', [
      locked.request.id,
    ]);
    expect(await post()).toEqual(['late_charge']);
    expect((await readAccount(locked.payer)).entries).toEqual(['late_charge -30000000']);
  });

  it.each<[string, (sent: JournalRow, request: HoldRequest) => JournalRow]>([
    [
      'a wallet that nobody knows',
      (sent, request) => ({ ...sent, payer: { ...request, walletId: newId() } }),
    ],
    ['a token of another wallet', (sent, request) => ({ ...sent, payer: { ...request, tokenId: newId() } })],
    [
      'a price that nobody knows',
      (sent, request) => ({ ...sent, payer: { ...request, priceVersionId: newId() } }),
    ],
    ['nobody, as a gateway of the version before wrote it', ({ payer: _nobody, ...sent }) => sent],
  ])('waits for an operator when it names %s', async (_name, change) => {
    const { payer, request } = await startCall();
    const other = await startCall();
    const outcomes = await post(change(row(request, 30), request), row(other.request, 30));
    expect(outcomes.toSorted()).toEqual(['failed', 'late_charge']);
    const [refused] = await database.query('select failure from refused_usage where request_id = $1', [
      request.id,
    ]);
    expect(refused.failure).toContain('no hold');
    expect((await readAccount(payer)).entries).toEqual([]);

    // The operator names who pays, and has it posted again.
    await database.query(
      'update usage_journal set wallet_id = $2, token_id = $3, price_version_id = $4 where request_id = $1',
      [request.id, request.walletId, request.tokenId, request.priceVersionId],
    );
    await database.query('select usage_post_again($1)', [request.id]);
    expect(await post()).toEqual(['late_charge']);
    expect((await readAccount(payer)).entries).toEqual(['late_charge -30000000']);
  });

  it('does not hold what is asked for afterwards under its id', async () => {
    const { payer, request } = await startCall();
    await post(row(request, 30));
    expect(await ledger.openHolds([request])).toEqual([{ granted: 0n }]);
    expect(await readAccount(payer)).toMatchObject({ held: '0', token_held: '0' });
  });

  it.each(['before', 'after'])(
    'is in the sums of usage once, when its log row was written %s',
    async (when) => {
      const { payer, request } = await startCall();
      const log = () =>
        writeRequestLog(database, [
          {
            requestId: request.id,
            createdAt: new Date(),
            userId: payer.userId,
            tokenId: payer.tokenId,
            tokenName: 'test',
            walletId: payer.walletId,
            model: payer.model,
            endpoint: '/v1/chat/completions',
            channel: 'c',
            status: 200,
            errorCode: undefined,
            stream: false,
            latencyMs: 1,
            ttftMs: undefined,
            usage: { ...NO_USAGE, outputTokens: 30 },
            cost: 30_000_000n,
            estimated: false,
            reason: 'completed',
            attempts: [],
            priceVersionId: request.priceVersionId,
          },
        ]);
      if (when === 'before') await log();
      await post(row(request, 30));
      if (when === 'after') await log();
      const [sum] = await database.query('select sum(cost) as cost from usage_change where request_id = $1', [
        request.id,
      ]);
      expect(sum.cost).toBe('30000000');
    },
  );

  it('leaves nothing when it was a cancellation', async () => {
    const { payer, request } = await startCall();
    expect(await post(row(request, 0, { phase: 'cancel' }))).toEqual(['unknown']);
    expect(await readAccount(payer)).toMatchObject({ balance: '1000000000', entries: [] });
  });

  it('has left the ledger balanced', async () => {
    expect(await ledger.findDrift()).toEqual([]);
  });
});
