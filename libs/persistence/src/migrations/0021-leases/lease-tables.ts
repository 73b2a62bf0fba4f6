/** Slices of wallets that gateways admit calls from, and what rows of their calls say about them. */
export const LEASE_TABLES = /* sql */ `
-- A slice of a wallet for one token and one run of a gateway. What it holds is amount - consumed: consumed has gone over to
-- holds of calls. It never grows. open: calls are admitted from it; shrunk: none any more, and it holds what is under way;
-- closing: its calls are over and their rows are in the journal; closed: by its owner; expired: by the sweeper.
create table lease (
  id uuid primary key,
  wallet_id uuid not null references wallet (id),
  token_id uuid not null references token (id),
  amount bigint not null check (amount >= 0),
  consumed bigint not null default 0 check (consumed between 0 and amount),
  state text not null default 'open' check (state in ('open', 'shrunk', 'closing', 'closed', 'expired')),
  owner_instance text not null,
  owner_epoch text not null,
  created_at timestamptz not null default now(),
  -- Until then its owner may admit calls from it, counted from when it was granted.
  admit_until timestamptz not null,
  -- The longest call is over by then.
  expires_at timestamptz not null,
  closed_at timestamptz
);
create index lease_live on lease (wallet_id) where state in ('open', 'shrunk', 'closing');
create index lease_ended on lease (closed_at) where state in ('closed', 'expired');

-- Of the rows of a call that was admitted from a lease: which, and the call's worst case. Null otherwise.
alter table usage_journal add column lease_id uuid, add column lease_worst bigint check (lease_worst >= 0);
alter table request_log add column lease_id uuid;

-- Tells gateways to admit nothing from the leases of a wallet for a while and to give back what is not in use.
create function recall_leases_of_token() returns trigger language plpgsql as $$
begin
  perform pg_notify('lease_recalled', new.wallet_id::text);
  return null;
end $$;
create trigger token_quota_recalls_leases after update of spending_quota on token
  for each row when (old.spending_quota is distinct from new.spending_quota)
  execute function recall_leases_of_token();
`;
