import { buildTaskRequest, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { TaskLedger } from './task-ledger.js';

const UNIT = 100_000_000n;

let test: TestDatabase;
let database: DataSource;
let ledger: TaskLedger;

beforeAll(async () => {
  test = await openTestDatabase(4);
  ({ database } = test);
  ledger = new TaskLedger(database);
});

afterAll(() => test.stop());

it.each([
  ['disabled', 'update token set disabled = true where id = $1'],
  ['deleted', 'update token set deleted_at = now() where id = $1'],
  ['expired', "update token set expires_at = now() - interval '1 second' where id = $1"],
  [
    'of a disabled owner',
    'update app_user set disabled = true where id = (select user_id from token where id = $1)',
  ],
])(
  'a task of a key that is %s by then is refused, and one that there is already is not',
  async (_how, sql) => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const earlier = buildTaskRequest(payer);
    expect(await ledger.openTask(earlier)).toEqual({ granted: UNIT });
    await database.query(sql, [payer.tokenId]);
    expect(await ledger.openTask(buildTaskRequest(payer))).toMatchObject({ refused: 'invalid_api_key' });
    expect(await ledger.openTask(earlier)).toEqual({ granted: UNIT });
    const [wallet] = await database.query('select held from wallet where id = $1', [payer.walletId]);
    expect(wallet.held).toBe(UNIT.toString());
  },
);
