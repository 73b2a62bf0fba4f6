import { TIME_BOUNDS_MS } from '../../usage/time-bounds.js';

const BOUNDS = `array[${TIME_BOUNDS_MS.join(', ')}]`;

/** Sums by hour and by day, what is still to be added to them, and how times of calls are counted. */
export const USAGE_TABLES = /* sql */ `
-- The calls of an hour or a day (in UTC) of one token, model and channel. Times are kept as how many calls fell into
-- which class, in two arrays side by side; null where no call tells. Cost is what the ledger charged. Written by usage_fold alone.
create table usage_cell (
  grain text not null check (grain in ('hour', 'day')),
  at timestamptz not null,
  user_id uuid not null,
  token_id uuid not null,
  model text not null,
  channel text not null,
  calls bigint not null,
  errors bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost bigint not null,
  latency_class integer[],
  latency_calls integer[],
  ttft_class integer[],
  ttft_calls integer[],
  primary key (grain, at, user_id, token_id, model, channel)
);

-- What calls and the ledger add to the sums: appended with its cause, taken away when it is in the sums. A charge may be
-- here before the row of its call is in the log, and waits for it.
create table usage_change (
  id bigint generated always as identity primary key,
  request_id uuid not null,
  calls integer not null default 0,
  errors integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost bigint not null default 0,
  latency_ms integer,
  ttft_ms integer,
  created_at timestamptz not null default now()
);

create function usage_class(p_ms integer) returns integer language sql immutable as $$
  select width_bucket(p_ms, ${BOUNDS})
$$;
`;
