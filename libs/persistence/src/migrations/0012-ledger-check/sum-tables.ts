/** What the check of the books keeps, so that it reads each entry once a round and not once a minute. */
export const SUM_TABLES = /* sql */ `
-- Sums of the entries up to one of them, by wallet and token; null: legs without. A round reads the whole ledger again,
-- slice by slice, into sums of its own, and then takes the place of the round before.
create table ledger_sum (
  round bigint not null,
  wallet_id uuid,
  token_id uuid,
  total numeric not null,
  unique nulls not distinct (round, wallet_id, token_id)
);

create table ledger_check (
  only_row boolean primary key default true check (only_row),
  -- The last finished round, and the entry up to which its sums are kept; null before the first has finished.
  round bigint,
  entry_id bigint not null default 0,
  round_finished_at timestamptz,
  -- The round under way and how far it is; next_task_id is null when it has seen every task.
  next_round bigint,
  next_entry_id bigint not null default 0,
  next_task_id uuid,
  -- No entry up to this one can be missing any more; null while that is not known of any.
  settled_entry_id bigint,
  -- The last entry that was seen, and the transactions that may still write one before it: those before seen_xid.
  seen_entry_id bigint,
  seen_xid xid8
);
insert into ledger_check default values;

-- Tasks that a round found wrong. Each check looks at them again.
create table suspect_task (
  task_id uuid primary key
);
`;
