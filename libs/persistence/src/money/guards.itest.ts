import { newId, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, type Payer, seedPayer, watchSlowness } from '@mg/testkit';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { createDataSource, STATEMENT_TIMEOUT_MS } from '../schema/create-data-source.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { JournalLedger } from './post-journal.js';
import { WalletLedger } from './wallet-ledger.js';

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let journal: JournalLedger;

beforeAll(async () => {
  test = await openTestDatabase(8);
  ({ database } = test);
  ledger = new WalletLedger(database);
  journal = new JournalLedger(database);
});

afterAll(() => test.stop());

const PRICE = { output_per_million: '1000' };
const seedPayers = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () => seedPayer(database, { balance: 100_000_000_000n, price: PRICE })),
  );

const writeUsage = (requestId: string) =>
  writeJournal(database, [
    { requestId, seq: 0, phase: 'usage', usage: { ...NO_USAGE, outputTokens: 10 }, estimated: false },
  ]);

/** Opens a call of a payer and leaves its usage in the journal. */
async function finishCall(payer: Payer): Promise<string> {
  const request = buildHoldRequest(payer);
  await ledger.openHolds([request]);
  await writeUsage(request.id);
  return request.id;
}

const post = (wait = false) => journal.postWaiting({ limit: 500, wait });

async function countCharges(ids: readonly string[]): Promise<number> {
  const [row] = await database.query<{ count: string }[]>(
    `select count(*) as count from entry where kind = 'charge' and wallet_id is not null and request_id = any ($1)`,
    [ids],
  );
  return Number(row?.count);
}

/** Posts again and again, as the billing plane does, until so many of the calls are charged. */
const postUntilCharged = (ids: readonly string[], count = ids.length) =>
  expect
    .poll(
      async () => {
        await post();
        return countCharges(ids);
      },
      { timeout: 20_000, interval: 100 },
    )
    .toBe(count);

/** A transaction of somebody else that keeps a row locked for as long as `work` runs. */
async function whileLocked<Result>(sql: string, id: string, work: () => Promise<Result>): Promise<Result> {
  const foreign = new Client({ connectionString: test.url });
  await foreign.connect();
  try {
    await foreign.query('begin');
    await foreign.query(sql, [id]);
    return await work();
  } finally {
    await foreign.end();
  }
}

const LOCK_WALLET = 'select 1 from wallet where id = $1 for update';
const LOCK_TOKEN = 'select 1 from token where id = $1 for update';

describe('F1: a row that somebody keeps locked', () => {
  it('is waited for no longer than every connection allows', async () => {
    const asBilling = createDataSource({
      url: test.url,
      poolSize: 1,
      applicationName: 'guards-test',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    await asBilling.initialize();
    const bounds = {
      lock_timeout: '1000 ms',
      idle_in_transaction_session_timeout: '5000 ms',
      statement_timeout: '3000 ms',
      tcp_keepalives_idle: '10 s',
      tcp_user_timeout: '30000 ms',
    };
    const rows = await asBilling.query<{ name: string; bound: string }[]>(
      `select name, setting || ' ' || unit as bound from pg_settings where name = any ($1)`,
      [Object.keys(bounds)],
    );
    await asBilling.destroy();
    expect(Object.fromEntries(rows.map(({ name, bound }) => [name, bound]))).toEqual(bounds);
  });

  it.each([
    ['wallet', LOCK_WALLET, (payer: Payer) => payer.walletId],
    ['token', LOCK_TOKEN, (payer: Payer) => payer.tokenId],
  ])('of one %s holds up its own calls only', async (_row, sql, idOf) => {
    const payers = await seedPayers(6);
    const locked = payers[2] as Payer;
    const free = payers.filter((payer) => payer !== locked);
    await whileLocked(sql, idOf(locked), async () => {
      const readSlowness = watchSlowness();
      const startedMs = performance.now();
      const batches = await Promise.all(
        Array.from({ length: 10 }, () => ledger.openHolds(payers.map((payer) => buildHoldRequest(payer)))),
      );
      // Less than the gateway waits for an answer.
      expect(performance.now() - startedMs).toBeLessThan(3_000 * readSlowness());
      for (const decisions of batches) {
        expect(decisions.filter((decision) => 'granted' in decision)).toHaveLength(free.length);
        expect(decisions[2]).toMatchObject({ busy: true });
      }
    });
    expect(await ledger.openHolds([buildHoldRequest(locked)])).toMatchObject([{ granted: 100_000_000n }]);
  });

  it('of one wallet holds up its own calls only where each hold takes Postgres long', async () => {
    const payers = await seedPayers(6);
    const locked = payers[3] as Payer;
    await database.query(`
      create function slow_for_test() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.02); return new; end $$;
      create trigger slow_for_test before insert on hold for each row execute function slow_for_test()`);
    await whileLocked(LOCK_WALLET, locked.walletId, async () => {
      const batches = await Promise.all(
        Array.from({ length: 10 }, () => ledger.openHolds(payers.map((payer) => buildHoldRequest(payer)))),
      );
      const granted = batches.map((decisions) => decisions.map((decision) => 'granted' in decision));
      expect(granted).toEqual(batches.map(() => payers.map((payer) => payer !== locked)));
    });
    await database.query('drop function slow_for_test() cascade');
  });

  it('holds up the charges of its own wallet only, and those come afterwards', async () => {
    const payers = await seedPayers(4);
    const locked = payers[0] as Payer;
    const held = await Promise.all([finishCall(locked), finishCall(locked)]);
    const others = await Promise.all(payers.slice(1).map(finishCall));
    await whileLocked(LOCK_WALLET, locked.walletId, async () => {
      const posted = await post();
      expect(
        posted.rows
          .filter((row) => row.outcome === 'postponed')
          .map((row) => row.requestId)
          .sort(),
      ).toEqual(held.toSorted());
      expect(await countCharges(others)).toBe(others.length);
    });
    await postUntilCharged(held);
  });

  it('lets two planes post the same rows at once, each charged once', async () => {
    const payers = await seedPayers(3);
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, index) => finishCall(payers[index % 3] as Payer)),
    );
    await Promise.all([post(true), post(false), post(true), post(false)]);
    await postUntilCharged(ids);
    expect(await countCharges(ids)).toBe(60);
  });
});

/** Makes every charge, or that of one request, fail with an error of Postgres for as long as `work` runs. */
async function whileRefusing<Result>(
  code: string,
  requestId: string | undefined,
  work: () => Promise<Result>,
) {
  const condition = requestId === undefined ? 'true' : `new.request_id = '${requestId}'`;
  await database.query(`
    create function refuse_for_test() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise exception 'refused by the test' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger refuse_for_test before insert on entry for each row execute function refuse_for_test()`);
  try {
    return await work();
  } finally {
    await database.query('drop function refuse_for_test() cascade');
  }
}

const passDeadline = (id: string) =>
  database.query(`update hold set expires_at = now() - interval '1 hour' where id = $1`, [id]);

describe('F5: a charge that fails', () => {
  it.each(['53100', '58030', '57P04', 'XX000', '08006'])(
    'for a reason that passes (%s) is made later',
    async (code) => {
      const [payer] = await seedPayers(1);
      const ids = await Promise.all(Array.from({ length: 12 }, () => finishCall(payer as Payer)));
      await whileRefusing(code, undefined, async () => {
        const { rows } = await post();
        expect(rows.map((row) => row.outcome)).toEqual(ids.map(() => 'postponed'));
        expect((await post()).taken).toBe(0);
        expect(await ledger.sweep(500)).toEqual([]);
      });
      await postUntilCharged(ids);
    },
  );

  it('for what the row is keeps its hold and waits for an operator, beside others that are charged', async () => {
    const [payer] = (await seedPayers(1)) as [Payer];
    const bad = await finishCall(payer);
    const good = await Promise.all([finishCall(payer), finishCall(payer)]);
    await whileRefusing('23514', bad, async () => {
      expect((await post()).rows).toContainEqual({
        requestId: bad,
        outcome: 'failed',
        failure: 'refused by the test',
      });
    });
    expect(await countCharges([bad, ...good])).toBe(2);
    expect(await ledger.countRefusedUsage()).toBe(1);
    await passDeadline(bad);
    expect(await ledger.sweep(500)).toEqual([]);

    await database.query('select usage_post_again()');
    await postUntilCharged([bad]);
    expect(await ledger.countRefusedUsage()).toBe(0);
  });

  it('of a hold leaves the caller to ask again', async () => {
    const [payer] = (await seedPayers(1)) as [Payer];
    await database.query(`
      create function refuse_for_test() returns trigger language plpgsql as $$
      begin raise exception 'disk full' using errcode = '53100'; end $$;
      create trigger refuse_for_test before insert on hold for each row execute function refuse_for_test()`);
    const request = buildHoldRequest(payer);
    expect(await ledger.openHolds([request])).toMatchObject([{ busy: true }]);
    await database.query('drop function refuse_for_test() cascade');
    expect(await ledger.openHolds([request])).toEqual([{ granted: 100_000_000n }]);
  });
});

describe('the ledger', () => {
  it('charges by the version that the hold is pinned to, not by the newest', async () => {
    const [payer] = (await seedPayers(1)) as [Payer];
    const id = await finishCall(payer);
    await database.query(
      `insert into price_version (id, model_slug, price, source) values ($1, $2, '{"output_per_million": "9000"}', 'test')`,
      [newId(), payer.model],
    );
    await post();
    expect(await database.query('select charged from hold where id = $1', [id])).toEqual([
      { charged: '10000000' },
    ]);
  });

  it('refuses a second entry of one kind for one request', async () => {
    const [payer] = (await seedPayers(1)) as [Payer];
    const id = await finishCall(payer);
    await postUntilCharged([id]);
    await expect(
      database.query(
        `insert into entry (tx_id, account, wallet_id, amount, request_id, kind)
         select tx_id, account, wallet_id, amount, request_id, kind from entry where request_id = $1`,
        [id],
      ),
    ).rejects.toThrow(/duplicate key/);
  });
});

it('has left the ledger balanced', async () => {
  expect(await ledger.findDrift()).toEqual([]);
});
