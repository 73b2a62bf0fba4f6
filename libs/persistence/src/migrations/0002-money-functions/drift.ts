/** The books against themselves, in one snapshot: every row it returns is a fault of this software. */
export const DRIFT = /* sql */ `
create function money_drift()
returns table (what text, id text, expected numeric, actual numeric) language sql stable as $$
  with booked as (
    select e.wallet_id, sum(e.amount) as total from entry e where e.wallet_id is not null group by 1
  ), spent as (
    select e.token_id, -sum(e.amount) as total from entry e where e.token_id is not null group by 1
  ), held_by_wallet as (
    select h.wallet_id, sum(h.amount) as total from hold h where h.state = 'open' group by 1
  ), held_by_token as (
    select h.token_id, sum(h.amount) as total from hold h where h.state = 'open' group by 1
  )
  select 'wallet.balance', w.id::text, coalesce(b.total, 0), w.balance
    from wallet w left join booked b on b.wallet_id = w.id where w.balance <> coalesce(b.total, 0)
  union all
  select 'wallet.held', w.id::text, coalesce(h.total, 0), w.held
    from wallet w left join held_by_wallet h on h.wallet_id = w.id where w.held <> coalesce(h.total, 0)
  union all
  select 'token.held', t.id::text, coalesce(h.total, 0), t.held
    from token t left join held_by_token h on h.token_id = t.id where t.held <> coalesce(h.total, 0)
  union all
  select 'token.used', t.id::text, coalesce(s.total, 0), t.used
    from token t left join spent s on s.token_id = t.id where t.used <> coalesce(s.total, 0)
  union all
  select 'entries', 'all accounts', 0, sum(e.amount) from entry e having sum(e.amount) <> 0;
$$;
`;
