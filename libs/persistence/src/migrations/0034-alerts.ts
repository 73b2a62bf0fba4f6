import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- What operators are alerted of, and where to. Addresses are sealed as channel keys are, since they may hold passwords.
create table alert_setting (
  id smallint primary key default 1 check (id = 1),
  rules jsonb not null default '{}',
  webhook_sealed text,
  webhook_hint text,
  smtp_sealed text,
  smtp_hint text,
  email_from text,
  email_to text[] not null default '{}'
);
insert into alert_setting default values;

-- Something that is or was not as it should be. Of each kind and subject one is open at a time, so that nobody is told twice.
create table alert (
  id uuid primary key,
  kind text not null check (kind in ('channel_failing', 'wallet_balance', 'budget', 'ledger_drift', 'queue_age')),
  subject text not null,
  level text not null check (level in ('firing', 'near', 'reached')),
  facts jsonb not null,
  fired_at timestamptz not null default now(),
  -- Since when its condition has not been seen; it is resolved when that has lasted.
  clear_since timestamptz,
  resolved_at timestamptz
);
create unique index alert_open on alert (kind, subject) where resolved_at is null;

-- One message to one destination.
create table alert_delivery (
  id uuid primary key,
  alert_id uuid not null references alert on delete cascade,
  event text not null check (event in ('fired', 'changed', 'resolved')),
  via text not null check (via in ('webhook', 'email')),
  message jsonb not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  claimed_until timestamptz,
  delivered_at timestamptz,
  last_error text
);
create index alert_delivery_due on alert_delivery (next_attempt_at) where next_attempt_at is not null;
create index alert_delivery_by_alert on alert_delivery (alert_id);
`;

/** Alerts to operators, their settings, and the messages that are still to be sent. */
export class Alerts0034 implements Migration {
  readonly name = 'Alerts1763700000034';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table alert_delivery, alert, alert_setting');
  }
}
