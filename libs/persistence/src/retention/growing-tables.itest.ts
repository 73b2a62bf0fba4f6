import { ENVIRONMENT } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';

/** Tables that grow with calls or with time, and the setting that says how long their rows are kept. */
const KEPT_FOR: Readonly<Record<string, string>> = {
  request_log: 'RETENTION_LOGS_DAYS',
  hold: 'RETENTION_HOLDS_DAYS',
  usage_journal: 'RETENTION_JOURNAL_DAYS',
  idempotent_reply: 'RETENTION_REPLIES_HOURS',
  idempotent_reply_part: 'RETENTION_REPLIES_HOURS',
  stored_response: 'RETENTION_RESPONSES_DAYS',
  conversation: 'RETENTION_RESPONSES_DAYS',
  conversation_item: 'RETENTION_RESPONSES_DAYS',
  stored_file: 'RETENTION_FILES_DAYS',
  stored_file_part: 'RETENTION_FILES_DAYS',
  batch: 'RETENTION_FILES_DAYS',
  batch_line: 'RETENTION_FILES_DAYS',
  upstream_batch: 'RETENTION_FILES_DAYS',
  task: 'RETENTION_TASKS_DAYS',
  task_event: 'RETENTION_TASKS_DAYS',
  webhook_delivery: 'RETENTION_TASKS_DAYS',
  waste: 'RETENTION_WASTE_DAYS',
  audit_log: 'RETENTION_AUDIT_DAYS',
  usage_cell: 'RETENTION_HOURLY_USAGE_DAYS',
};

/** Every other table, and why it needs no such setting. */
const NEEDS_NONE: Readonly<Record<string, string>> = {
  cached_content: 'an hour, and 100 of each wallet; gateways delete what is older, each hour',
  discarded_object: 'deleted with its object in the result store, an hour or two after its file',
  stored_upload: 'an hour, of which gateways delete what is older, each hour',
  entry: 'the ledger: balances are the sums of all entries, so each stays',
  usage_change: 'taken away when it is in the sums, within seconds',
  refused_usage: 'waits for an operator, who posts it again or lets it go',
  task_order: 'deleted once a provider has the job, or after an hour without a task',
  lease: 'forgotten an hour after its end',
  budget: 'configuration: a row for each budget, with its current period',
  ended_life: 'taken away when its calls are logged, within seconds',
  plane_instance: 'forgotten a day after its end',
  channel_probe: 'a row for each channel that is probed',
  attempt_figures: 'gateways delete what is older than a day, each hour',
  plane_report: 'forgotten a day after the last word of its process',
  alert: 'forgotten 90 days after it was resolved',
  alert_delivery: 'deleted with its alert',
  alert_setting: 'one row',
  captured_body: 'deleted when its time is over, seven days after its call at most',
  console_session: 'deleted at the next sign-in of its user once it has expired',
  console_attempt: 'each attempt sweeps a few windows that are over',
  ledger_sum: 'a row for each wallet and token, those of one or two rounds',
  ledger_check: 'one row',
  suspect_task: 'tasks that differ from the ledger, which are none',
  installation: 'one row',
  partitioned_table: 'a row for each table that is cut by time',
  migrations: 'a row for each migration',
  migration_hash: 'a row for each migration',
  app_user: 'made by administrators',
  user_totp: 'a row for each user with a second factor',
  user_recovery_code: 'ten for each user with a second factor',
  sso_identity: 'a row for each user and issuer',
  sso_login: 'ten minutes at most, swept by the next one',
  sso_handover: 'a minute at most, swept by the next one',
  project: 'made by administrators',
  project_member: 'a row for each member of a project, of which there are at most 200',
  project_group:
    'a row for each group that single sign-on lets into a project, of which there are at most 50',
  project_invitation: '30 days at most, swept by the next one; 50 open ones for each project',
  wallet: 'made by administrators',
  token: 'made by people; the log and the ledger name it after it is deleted',
  channel: 'configuration',
  channel_secret: 'configuration',
  channel_credential: 'configuration',
  model: 'configuration',
  price_version: 'configuration; calls name the price that they were charged by',
  price_import: 'made by administrators: a file of prices that was looked at',
  redemption_batch: 'made by administrators',
  redemption_code: 'made by administrators; the ledger names the code that was credited',
};

describe('F8: every table', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(1);
  });
  afterAll(() => test.stop());

  it('F8: expires by a setting, or says why it needs none', async () => {
    const rows = await test.database.query<{ name: string }[]>(
      `select relname as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const named = [...Object.keys(KEPT_FOR), ...Object.keys(NEEDS_NONE)];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
  });

  it('F8: names settings that there are', () => {
    expect(Object.keys(ENVIRONMENT)).toEqual(expect.arrayContaining(Object.values(KEPT_FOR)));
  });
});
