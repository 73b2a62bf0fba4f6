import { type Payer, seedPayer, startTestServices, type TestServices } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOldQueues } from '../alerts/find-conditions.js';
import { migrateDatabase } from '../migrate-database.js';
import { openDatabase } from '../open-database.js';
import { FUNCTION_GRANTS, OWNERS_FUNCTIONS } from './function-grants.js';
import { PLANE_ROLES, type PlaneName } from './plane-roles.js';
import { TABLE_GRANTS } from './table-grants.js';

const PLANES = Object.keys(PLANE_ROLES) as PlaneName[];
const PASSWORD = 'password-of-every-plane';

let services: TestServices;
let owner: DataSource;
let payer: Payer;
const planes = new Map<PlaneName, DataSource>();

function open(url: string): Promise<DataSource> {
  return openDatabase({ url, poolSize: 2, applicationName: 'grants-test' });
}

function addressFor(plane: PlaneName): string {
  const url = new URL(services.databaseUrl);
  url.username = PLANE_ROLES[plane];
  url.password = PASSWORD;
  return url.href;
}

beforeAll(async () => {
  services = await startTestServices();
  await migrateDatabase({
    url: services.databaseUrl,
    passwords: Object.fromEntries(PLANES.map((plane) => [plane, PASSWORD])),
  });
  owner = await open(services.databaseUrl);
  for (const plane of PLANES) planes.set(plane, await open(addressFor(plane)));
  payer = await seedPayer(owner, { balance: 1_000_000n });
});

afterAll(async () => {
  for (const database of [...planes.values(), owner]) await database.destroy();
  await services.stop();
});

function ask(plane: PlaneName, sql: string, values: unknown[] = []): Promise<unknown> {
  return planes.get(plane)?.query(sql, values) ?? Promise.reject(new Error(`no ${plane}`));
}

describe('the tables of grants', () => {
  it('have a line for every table of the schema, and for nothing else', async () => {
    const rows = await owner.query<{ name: string }[]>(
      `select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
          and not relispartition order by 1`,
    );
    expect(rows.map((row) => row.name)).toEqual(Object.keys(TABLE_GRANTS).toSorted());
  });

  it('have a line for every function of the schema, and for nothing else', async () => {
    const rows = await owner.query<{ name: string }[]>(
      `select oid::regprocedure::text as name from pg_proc where pronamespace = current_schema()::regnamespace`,
    );
    expect(rows.map((row) => row.name).toSorted()).toEqual(Object.keys(FUNCTION_GRANTS).toSorted());
  });

  it('leave nothing to everybody', async () => {
    const tables = await owner.query(
      `select table_name, privilege_type from information_schema.table_privileges
        where grantee = 'PUBLIC' and table_schema = current_schema()`,
    );
    const functions = await owner.query(
      `select p.oid::regprocedure::text from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        where p.pronamespace = current_schema()::regnamespace and a.grantee = 0`,
    );
    expect([tables, functions]).toEqual([[], []]);
  });

  it('name every function that runs with its owner’s rights, each with a search path of its own', async () => {
    const rows = await owner.query<{ name: string; proconfig: string[] }[]>(
      `select oid::regprocedure::text as name, proconfig from pg_proc
        where pronamespace = current_schema()::regnamespace and prosecdef`,
    );
    expect(rows.map((row) => row.name).toSorted()).toEqual([...OWNERS_FUNCTIONS].toSorted());
    for (const row of rows) expect(row.proconfig).toContain('search_path=public, pg_temp');
  });

  it('give no plane a right that it could pass on, nor membership of another role', async () => {
    const rows = await owner.query(
      `select r.rolname from pg_roles r where r.rolname = any ($1) and (r.rolsuper or r.rolcreaterole or r.rolcreatedb
          or r.rolreplication or r.rolbypassrls or exists (select from pg_auth_members m where m.member = r.oid))`,
      [Object.values(PLANE_ROLES)],
    );
    expect(rows).toEqual([]);
  });
});

/** What no plane may do, by what it would be for somebody who had taken it over. */
const FORBIDDEN_TO_ALL = {
  'make a table': 'create table mine (id integer)',
  'make a temporary table': 'create temporary table mine (id integer)',
  'change a price': `update price_version set price = '{}'`,
  'change the ledger': 'update entry set amount = 0',
  'delete from the ledger': 'delete from entry',
  'empty the ledger': 'truncate entry',
  'delete usage': 'delete from usage_journal',
  'delete a wallet': 'delete from wallet',
  'delete a hold': 'delete from hold',
  'change the audit log': `update audit_log set action = ''`,
  'disable a trigger': 'alter table entry disable trigger all',
  'change a function': 'alter function topup(uuid, bigint, text, text) security definer',
  'drop a table': 'drop table entry',
  'note a migration': `insert into migrations (timestamp, name) values (1, 'x')`,
  'become the owner': 'set role gateway',
  'read a file of the server': `select pg_read_file('/etc/passwd')`,
};

const MONEY = {
  'change a balance': 'update wallet set balance = 1',
  'change what is held': 'update wallet set held = 0',
  'open a wallet': `insert into wallet (id, name) values (gen_random_uuid(), 'x')`,
  'book an entry': `insert into entry (tx_id, account, amount, request_id, kind)
     values (gen_random_uuid(), 'x', 1, 'x', 'topup')`,
  'change a quota that is used': 'update token set used = 0',
  'void a hold': `update hold set state = 'voided'`,
  'credit a wallet by the function': `select topup(gen_random_uuid(), 1, 'x', 'x')`,
  'open a hold by the function': `select hold_open_many('[]')`,
  'post the journal by the function': `select post_batch('[]')`,
  'open a lease by the function': `select lease_open(gen_random_uuid(), '[]')`,
  'give a lease back by the function': `select lease_close(gen_random_uuid(), '[]', 'x', 'x')`,
  'free leases': 'select lease_sweep(1)',
  'recall leases by the function': `select lease_recall('[]')`,
  'change a lease': 'update lease set consumed = 0',
  'read leases': 'select amount from lease',
  'refund by the function': `select refund(gen_random_uuid(), 'x')`,
  'book by the inner function': `select book_wallet_move(gen_random_uuid(), null, 'x', 1, 'x', 'topup', 'x')`,
  'end a task by the function': `select task_end(gen_random_uuid(), 'failed', null, null, null, null, null, 'x')`,
  'mark usage as posted': 'update usage_journal set posted_at = now()',
  'change what a task costs': 'update task set charged = 0',
};

const CREDENTIALS = {
  'read keys that are sealed as a whole': 'select sealed_keys from channel_secret',
  'read sealed credentials': 'select sealed from channel_credential',
  'read them by a condition': `select channel_id from channel_credential where sealed like 'v1.%'`,
  'read them by a change': 'update channel_credential set sealed = sealed returning sealed',
  'write them past the function': `insert into channel_credential (channel_id, part, sealed, fingerprint)
     values (gen_random_uuid(), 'x', 'x', 'x')`,
  'read every column': 'select * from channel_credential',
};

const PEOPLE = {
  'read passwords': 'select password_hash from app_user',
  'read sessions': 'select refresh_hash from console_session',
  'read second factors': 'select sealed from user_totp',
  'take a second factor away': 'delete from user_totp',
  'add a recovery code': `insert into user_recovery_code values (gen_random_uuid(), 'x')`,
  'read identities': 'select subject from sso_identity',
  'link an identity': `insert into sso_identity values ('x', 'x', gen_random_uuid())`,
  'hand a session over': `insert into sso_handover values ('x', 'x', gen_random_uuid(), now())`,
  'join a project': `insert into project_member values (gen_random_uuid(), gen_random_uuid(), 'owner')`,
  'read invitations': 'select token_hash from project_invitation',
  'read projects': 'select name from project',
  'make an administrator': `update app_user set role = 'administrator'`,
};

const CONFIGURATION = {
  'change a channel': 'update channel set enabled = false',
  'add a price': `insert into price_version (id, model_slug, price, source) values (gen_random_uuid(), 'x', '{}', 'x')`,
  'write a credential': `update channel_credential set sealed = ''`,
  'enable a token': 'update token set disabled = false',
};

const FORBIDDEN: Readonly<Record<PlaneName, Readonly<Record<string, string>>>> = {
  gateway: {
    ...FORBIDDEN_TO_ALL,
    ...MONEY,
    ...PEOPLE,
    ...CONFIGURATION,
    'read usage': 'select usage from usage_journal',
    'change usage': `update usage_journal set usage = '{}'`,
    'read orders': 'select order_text from task_order',
    'delete orders': 'delete from task_order',
    'change a task': `update task set state = 'succeeded'`,
    'change the log': `update request_log set cost = 0`,
    'delete from the log': 'delete from request_log',
  },
  billing: {
    ...FORBIDDEN_TO_ALL,
    ...CREDENTIALS,
    ...PEOPLE,
    ...CONFIGURATION,
    'read people': 'select email from app_user',
    'add usage': `insert into usage_journal (request_id, seq, phase, usage) values (gen_random_uuid(), 0, 'usage', '{}')`,
    'change what usage says': `update usage_journal set usage = '{}'`,
    'read stored answers': 'select body from idempotent_reply',
    'rename a wallet': `update wallet set name = 'x'`,
    'raise a quota': 'update token set spending_quota = null',
  },
  'video-worker': {
    ...FORBIDDEN_TO_ALL,
    ...MONEY,
    ...PEOPLE,
    ...CONFIGURATION,
    'read tokens': 'select key_hash from token',
    'read wallets': 'select balance from wallet',
    'read the log': 'select model from request_log',
    'delete orders': 'delete from task_order',
    'write usage': `insert into usage_journal (request_id, seq, phase, usage) values (gen_random_uuid(), 0, 'usage', '{}')`,
    'make a task': 'insert into task (id) values (gen_random_uuid())',
    'call back for another task': `insert into webhook_delivery (task_id, url, event) values (gen_random_uuid(), 'x', 'x')`,
  },
  console: {
    ...FORBIDDEN_TO_ALL,
    ...MONEY,
    ...CREDENTIALS,
    'read usage': 'select usage from usage_journal',
    'write usage': `insert into usage_journal (request_id, seq, phase, usage) values (gen_random_uuid(), 0, 'usage', '{}')`,
    'read orders': 'select order_text from task_order',
    'read what a worker keeps of a task': 'select upstream_data from task',
    'read stored answers': 'select body from idempotent_reply',
    'read where tasks call back': 'select url from webhook_delivery',
    'change the log': 'update request_log set cost = 0',
    'give a token used money': `insert into token (id, name, user_id, wallet_id, key_hash, key_prefix, key_last4, used)
       values (gen_random_uuid(), 'x', gen_random_uuid(), gen_random_uuid(), 'x', 'x', 'x', -1)`,
  },
};

describe.each(PLANES)('the role of %s', (plane) => {
  it.each(Object.entries(FORBIDDEN[plane]))('may not %s', async (_what, sql) => {
    await expect(ask(plane, sql)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('may not change or read what no row is there for, either', async () => {
    const [wallet] = await owner.query<{ balance: string }[]>('select balance from wallet where id = $1', [
      payer.walletId,
    ]);
    expect(wallet?.balance).toBe('1000000');
  });
});

describe('the console', () => {
  it('finds what waits for too long', async () => {
    const database = planes.get('console');
    expect(database && (await findOldQueues(database.manager, 60)).conditions).toEqual([]);
  });

  it('writes a credential over another without reading either', async () => {
    const channelId = '00000000-0000-8000-8000-000000000001';
    await owner.query(`insert into channel (id, name, type) values ($1, 'written', 'openai')`, [channelId]);
    const write = (sealed: string) =>
      ask('console', 'select channel_credentials_write($1, $2)', [
        channelId,
        JSON.stringify([{ part: 'api_keys', sealed, fingerprint: sealed, hints: [], removed: false }]),
      ]);
    await write('first');
    await write('second');
    expect(
      await owner.query('select sealed from channel_credential where channel_id = $1', [channelId]),
    ).toEqual([{ sealed: 'second' }]);
    await ask('console', 'delete from channel where id = $1', [channelId]);
    expect(await owner.query('select 1 from channel_credential where channel_id = $1', [channelId])).toEqual(
      [],
    );
  });
});

describe('billing', () => {
  it.each([
    ['checks the ledger', "select ledger_check_step(1000, 1000, interval '1 day')"],
    ['finds what differs', 'select * from recent_drift()'],
    [
      'deletes what is too old',
      `select expire_rows('holds', now(), '00000000-0000-0000-0000-000000000000', 10)`,
    ],
    ['adds partitions', `select add_partitions('usage_journal')`],
    ['drops partitions', `select drop_partition('request_log', 30)`],
  ])('%s with its own rights', async (_what, sql) => {
    await expect(ask('billing', sql)).resolves.toHaveLength(sql.includes('recent_drift') ? 0 : 1);
  });

  it('drops no table but a partition that is too old', async () => {
    for (const table of ['entry', 'wallet', 'usage_journal_before']) {
      expect(await ask('billing', `select drop_partition($1, 1) as dropped`, [table])).toEqual([
        { dropped: null },
      ]);
    }
    await expect(ask('billing', `select add_partitions('entry')`)).rejects.toThrow(/no rows/);
  });
});
