import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tables. Money is bigint nano-dollars; ids are UUIDs made by the writer; rows that history points at are
 * never deleted. Columns that say "billing only" change through the money functions alone.
 */
const TABLES = /* sql */ `
create table app_user (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null default '',
  password_hash text not null,
  role text not null check (role in ('administrator', 'member')),
  disabled boolean not null default false,
  token_version integer not null default 0,
  created_at timestamptz not null default now()
);

-- balance and held: billing only. The funds guard stands in the admission's WHERE, so that settling never fails.
create table wallet (
  id uuid primary key,
  name text not null unique,
  user_id uuid references app_user (id),
  balance bigint not null default 0,
  held bigint not null default 0 check (held >= 0),
  created_at timestamptz not null default now()
);

-- used and held: billing only.
create table token (
  id uuid primary key,
  name text not null,
  user_id uuid not null references app_user (id),
  wallet_id uuid not null references wallet (id),
  key_hash text not null unique,
  key_prefix text not null,
  key_last4 text not null,
  allowed_models text[],
  spending_quota bigint check (spending_quota >= 0),
  used bigint not null default 0,
  held bigint not null default 0 check (held >= 0),
  expires_at timestamptz,
  disabled boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);
create index token_by_user on token (user_id, id);
-- A configuration file names tokens; only the living need distinct names.
create unique index token_by_name on token (wallet_id, name) where deleted_at is null;

create table channel (
  id uuid primary key,
  name text not null unique,
  type text not null,
  base_url text,
  models jsonb not null default '{}',
  settings jsonb not null default '{}',
  priority integer not null default 0,
  weight integer not null default 1 check (weight >= 0),
  timeouts jsonb not null default '{}',
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Apart from channel, so that the console's reading side never touches it. Sealed with AES-256-GCM.
create table channel_secret (
  channel_id uuid primary key references channel (id) on delete cascade,
  sealed_keys text not null,
  hints text[] not null default '{}'
);

create table model (
  slug text primary key,
  kind text not null check (kind in ('chat', 'embedding', 'image', 'transcription', 'video')),
  state text not null default 'active' check (state in ('active', 'disabled')),
  max_output_tokens integer check (max_output_tokens > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Append-only: a changed price is a new version from a moment on.
create table price_version (
  id uuid primary key,
  model_slug text not null references model (slug),
  price jsonb not null,
  source text not null,
  effective_from timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index price_version_by_model on price_version (model_slug, effective_from desc);

create table hold (
  id uuid primary key,
  kind text not null check (kind in ('request', 'lease', 'video')),
  wallet_id uuid not null references wallet (id),
  token_id uuid not null references token (id),
  model_slug text not null,
  price_version_id uuid not null references price_version (id),
  amount bigint not null check (amount >= 0),
  state text not null default 'open' check (state in ('open', 'posted', 'voided', 'expired')),
  charged bigint,
  estimated boolean not null default false,
  usage jsonb,
  checkpoint jsonb,
  owner_instance text not null,
  owner_epoch text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  resolved_at timestamptz
);
create index hold_open on hold (expires_at) where state = 'open';
create index hold_open_by_wallet on hold (wallet_id) where state = 'open';

-- One life of a plane's process; a newer epoch of the same instance proves the older dead.
create table plane_instance (
  instance text primary key,
  epoch text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- Double entry, append-only: the legs of a transaction sum to zero. A leg with a wallet carries its balance after it.
create table entry (
  id bigint generated always as identity primary key,
  tx_id uuid not null,
  account text not null,
  wallet_id uuid references wallet (id),
  token_id uuid,
  amount bigint not null,
  balance_after bigint,
  request_id text not null,
  task_id uuid,
  kind text not null check (kind in ('charge', 'refund', 'topup', 'adjust', 'late_charge', 'true_up', 'waste')),
  note text not null default '',
  created_at timestamptz not null default now(),
  unique (request_id, kind, account)
);
create index entry_by_wallet on entry (wallet_id, id desc) where wallet_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
create trigger entry_append_only before update or delete on entry
  for each row execute function refuse_change();
create trigger price_version_append_only before update or delete on price_version
  for each row execute function refuse_change();

-- Gateways and workers may only insert.
create table usage_journal (
  request_id uuid not null,
  seq integer not null,
  phase text not null check (phase in ('checkpoint', 'usage', 'cancel')),
  usage jsonb not null,
  estimated boolean not null default false,
  created_at timestamptz not null default now(),
  posted_at timestamptz,
  primary key (request_id, seq, phase)
);
create index usage_journal_unposted on usage_journal (created_at) where posted_at is null;

create table request_log (
  request_id uuid primary key,
  created_at timestamptz not null,
  user_id uuid not null,
  token_id uuid not null,
  token_name text not null,
  wallet_id uuid not null,
  model text not null,
  endpoint text not null,
  channel text,
  status integer not null,
  error_code text,
  stream boolean not null,
  latency_ms integer not null,
  ttft_ms integer,
  usage jsonb not null,
  cost bigint not null,
  estimated boolean not null,
  reason text not null,
  attempts jsonb not null,
  price_version_id uuid
);
create index request_log_by_user on request_log (user_id, request_id desc);
create index request_log_by_token on request_log (token_id, request_id desc);
create index request_log_by_time on request_log (created_at desc);

-- One row for each Idempotency-Key of a token. The first caller runs; the others wait for its stored answer.
create table idempotent_reply (
  token_id uuid not null,
  key text not null,
  fingerprint text not null,
  request_id uuid not null,
  owner_instance text not null,
  owner_epoch text not null,
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (token_id, key)
);

-- Gateways hold configuration in memory: each change tells them what to read again, at commit.
create function announce_catalog_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalog_changed', tg_table_name);
  return null;
end $$;
create trigger channel_announced after insert or update or delete on channel
  for each statement execute function announce_catalog_change();
create trigger channel_secret_announced after insert or update or delete on channel_secret
  for each statement execute function announce_catalog_change();
create trigger model_announced after insert or update or delete on model
  for each statement execute function announce_catalog_change();
create trigger price_version_announced after insert on price_version
  for each statement execute function announce_catalog_change();

-- Money columns of a token change with each call and are no news to a gateway.
create function announce_token_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('token_changed', old.key_hash);
  return null;
end $$;
create trigger token_announced
  after update of name, wallet_id, key_hash, allowed_models, expires_at, disabled, deleted_at or delete on token
  for each row execute function announce_token_change();

create function announce_journal() returns trigger language plpgsql as $$
begin
  perform pg_notify('journal_written', '');
  return null;
end $$;
create trigger usage_journal_announced after insert on usage_journal
  for each statement execute function announce_journal();
`;

export class InitialTables0001 implements MigrationInterface {
  readonly name = 'InitialTables1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('The first migration cannot be undone: drop the database instead.');
  }
}
