import type { PlaneName } from './plane-roles.js';

/** What planes may do to a table, in the syntax of GRANT; a plane that is left out may do nothing. */
export type TableGrants = Readonly<Partial<Record<PlaneName, string>>>;

const REPORTS = 'select, insert, update, delete';
/** What a route is planned by: everything but the audit of it. */
const CATALOG_READERS = { gateway: 'select', 'video-worker': 'select' } as const;
const READ_BY_ALL = {
  gateway: 'select',
  billing: 'select',
  'video-worker': 'select',
  console: 'select',
} as const;

/** Callers send files through a gateway, workers write the results of batches. */
const FILE_WRITERS = {
  gateway: 'select, insert, update, delete',
  'video-worker': 'select, insert, update, delete',
} as const;

/**
 * Every table and every plane, row by row. Money is billing's alone, of usage a gateway only adds, and of credentials the
 * console only writes, by a function. A table without a line here fails a test.
 */
export const TABLE_GRANTS: Readonly<Record<string, TableGrants>> = {
  // Money.
  wallet: {
    billing: 'select, insert, update (balance, held, credit_limit)',
    gateway: 'select (id, user_id, balance, held, credit_limit, limits)',
    console: 'select, update (limits, budgets, alert_below)',
  },
  hold: {
    billing: 'select, insert, update',
    gateway: 'select (id, state)',
    console: 'select (id, kind, state, amount, usage, estimated, created_at)',
  },
  lease: { billing: 'select, insert, update (amount, consumed, state, expires_at, closed_at), delete' },
  budget: { billing: 'select, update (spent, starts_at, ends_at, reached, told)', console: 'select' },
  entry: {
    billing: 'select, insert',
    gateway: 'select (request_id, wallet_id, amount)',
    console: 'select',
  },
  waste: { billing: 'select, insert, delete', console: 'select' },
  ledger_sum: { billing: 'select, insert, update, delete' },
  ledger_check: { billing: 'select, update' },
  suspect_task: { billing: 'select, insert, delete' },
  token: {
    billing: 'select, update (used, held)',
    gateway: `select (id, name, user_id, wallet_id, key_hash, allowed_models, spending_quota, used, expires_at, disabled,
      deleted_at, limits, cache_ms, capture_seconds, capture_until,
        default_model, store_responses, allowed_ips, former_key_hash, former_key_until)`,
    // The hash of a key is how a file finds the token that it names.
    console: `select,
      insert (id, name, user_id, wallet_id, key_hash, key_prefix, key_last4, allowed_models, spending_quota, expires_at,
        disabled, disabled_by, declared, deleted_at, created_at, limits, budgets, cache_ms, capture_seconds, capture_until,
        default_model, store_responses, allowed_ips, former_key_hash, former_key_until),
      update (name, user_id, wallet_id, key_hash, key_prefix, key_last4, allowed_models, spending_quota, expires_at,
        disabled, disabled_by, declared, deleted_at, limits, budgets, cache_ms, capture_seconds, capture_until,
        default_model, store_responses, allowed_ips, former_key_hash, former_key_until)`,
  },

  // Usage.
  usage_journal: {
    gateway: `select (request_id, phase, posted_at),
      insert (request_id, seq, phase, usage, estimated, wallet_id, token_id, price_version_id, waste, lease_id, lease_worst)`,
    billing: 'select, update (posted_at, failure, retry_at)',
    console: 'select (created_at, posted_at)',
  },
  partitioned_table: { billing: 'select' },
  refused_usage: { billing: 'select, insert, delete' },
  request_log: {
    gateway: 'select, insert',
    billing: 'select, insert, update (cost, usage, estimated, reason)',
    console: 'select',
  },
  // Written by functions alone.
  usage_cell: { gateway: 'select', billing: 'select', console: 'select' },
  usage_change: { gateway: 'select', console: 'select' },
  stored_response: { gateway: 'select, insert, update, delete' },
  conversation: { gateway: 'select, insert, update, delete' },
  conversation_item: { gateway: 'select, insert, update, delete' },
  // A gateway takes batches and calls them off, workers carry them out; what a line costs is no business of theirs.
  batch: {
    gateway: 'select, insert, update (state, total, in_progress_at, cancelling_at), delete',
    'video-worker': 'select, update',
  },
  batch_line: { gateway: 'insert', 'video-worker': 'select, insert, update, delete' },
  upstream_batch: { 'video-worker': 'select, insert, update' },
  stored_file: FILE_WRITERS,
  stored_file_part: FILE_WRITERS,
  // Whoever deletes a file leaves its object here; gateways have the store delete it.
  discarded_object: { gateway: 'select, insert, update (due_at), delete', 'video-worker': 'insert' },
  cached_content: { gateway: 'select, insert, update (expires_at, updated_at), delete' },
  stored_upload: { gateway: 'select, insert, update (state, file_id), delete' },
  idempotent_reply: {
    gateway:
      'select, insert, update (owner_instance, owner_epoch, status, headers, body, compressed, sealed, parts, completed_at), delete',
  },
  // Deleted with their reply.
  idempotent_reply_part: { gateway: 'select, insert' },

  captured_body: {
    gateway: `insert (request_id, part, token_id, expires_at, content_type, bytes, truncated, sealed)`,
    console: 'select',
  },

  // Configuration.
  channel: { ...CATALOG_READERS, console: 'select, insert, update, delete' },
  channel_secret: { ...CATALOG_READERS, console: 'select (channel_id, hints)' },
  channel_credential: {
    ...CATALOG_READERS,
    console: 'select (channel_id, part, fingerprint, hints, removed), delete',
  },
  model: { ...CATALOG_READERS, console: 'select, insert, update' },
  price_version: { ...CATALOG_READERS, billing: 'select', console: 'select, insert' },

  // Video tasks. A worker writes how a task goes on; its amount and its charge are money.
  task: {
    billing: 'select, insert, update',
    gateway: 'select',
    'video-worker': `select,
      update (state, channel_id, channel_name, key_hash, upstream_model, upstream_id, upstream_data, progress,
        submitted_at, next_run_at, poll_failures, claimed_by, claimed_until, submits)`,
    console: `select (id, public_id, face, user_id, token_id, wallet_id, model_slug, seconds, price_variant, amount,
      price_version_id, state, charged, channel_name, upstream_model, upstream_id, progress, error, created_at,
      submitted_at, finished_at, deadline_at, next_run_at)`,
  },
  task_order: {
    billing: 'select, insert, delete',
    gateway: 'insert (task_id, order_text, hops)',
    'video-worker': 'select',
  },
  task_event: { billing: 'insert', 'video-worker': 'insert (task_id, state, note)', console: 'select' },
  webhook_delivery: {
    billing: 'insert (task_id, url, event)',
    'video-worker': `select,
      update (attempts, next_attempt_at, claimed_until, delivered_at, last_status, last_error)`,
    console: 'select (created_at, next_attempt_at)',
  },

  // People and what they did.
  app_user: {
    gateway: 'select (id, disabled, role, limits)',
    billing: 'select (id, disabled)',
    console: 'select, insert, update, delete',
  },
  console_session: { console: 'select, insert, update, delete' },
  console_attempt: { console: 'select, insert, update, delete' },
  user_totp: { console: 'select, insert, update (sealed, begun_at, enabled_at, last_step), delete' },
  user_recovery_code: { console: 'select, insert, delete' },
  sso_identity: { console: 'select, insert' },
  sso_login: { console: 'select, insert, delete' },
  sso_handover: { console: 'select, insert, delete' },
  project: { console: 'select, insert, update (name), delete' },
  project_member: { console: 'select, insert, update (role, origin), delete' },
  project_group: { console: 'select, insert, delete' },
  project_invitation: { console: 'select, insert, update (accepted_by), delete' },
  audit_log: { console: 'select, insert' },
  redemption_batch: { console: 'select, insert, update (disabled)' },
  redemption_code: { console: 'select, insert, update (wallet_id, claimed_by, claimed_at, credited_at)' },
  alert: { console: 'select, insert, update, delete' },
  alert_delivery: { console: 'select, insert, update, delete' },
  alert_setting: { console: 'select, update' },
  price_import: { console: 'select, insert, update (applied_at)' },

  // Processes.
  ended_life: { billing: 'select, insert, update, delete' },
  plane_instance: {
    billing: 'select, insert, update, delete',
    gateway: 'select (instance, epoch, ended_at)',
  },
  channel_probe: { gateway: 'select, insert, update' },
  attempt_figures: { gateway: REPORTS, 'video-worker': 'select, insert, update', console: 'select' },
  plane_report: { gateway: REPORTS, billing: REPORTS, 'video-worker': REPORTS, console: REPORTS },
  installation: READ_BY_ALL,
  migrations: READ_BY_ALL,
  migration_hash: READ_BY_ALL,
};
