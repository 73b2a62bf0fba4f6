/**
 * Admission that one locked wallet cannot stop: a batch takes the wallets that are free and answers `busy` for the others,
 * which the caller asks for again by themselves.
 */
export const HOLD_BATCH = /* sql */ `
-- Whether a failure is one of the moment and not of the row: the connection, a conflict, resources, an operator, the system.
create function is_passing_failure(p_sqlstate text) returns boolean language sql immutable as $$
  select left(p_sqlstate, 2) in ('08', '40', '53', '57', '58', 'XX') or p_sqlstate = '55P03';
$$;

-- One answer for each question, told apart by its place. With p_wait wallets and tokens are waited for, a moment and no
-- longer, and the questions should be of one wallet; without it the questions of a wallet are answered busy at once when
-- somebody has locked it or a token of theirs. A faulty question does not touch the others.
-- Conflicts end the batch: ask again.
create function hold_open_batch(p_questions jsonb, p_wait boolean) returns setof hold_answer language plpgsql
set enable_seqscan = off set lock_timeout = '400ms' as $$
declare
  questions hold_question[] := array(
    select x from jsonb_populate_recordset(null::hold_question, p_questions) x order by x.wallet_id, x.token_id, x.id);
  locked uuid[] := '{}';
  tokens uuid[];
  answers hold_answer[];
  q hold_question;
begin
  if not p_wait then
    locked := array(select w.id from wallet w where w.id = any (array(select x.wallet_id from unnest(questions) x)));
    locked := array(select unnest(locked) except select f.id from (
      select w.id from wallet w where w.id = any (locked) order by w.id for no key update skip locked) f);
    tokens := array(select t.id from token t where t.id = any (
      array(select x.token_id from unnest(questions) x where x.wallet_id <> all (locked))));
    tokens := array(select unnest(tokens) except select f.id from (
      select t.id from token t where t.id = any (tokens) order by t.id for no key update skip locked) f);
    locked := locked || array(select distinct x.wallet_id from unnest(questions) x where x.token_id = any (tokens));
    return query select x.place, null::bigint, 'busy', null::bigint, null::text
      from unnest(questions) x where x.wallet_id = any (locked);
    questions := array(select x from unnest(questions) x where x.wallet_id <> all (locked)
      order by x.wallet_id, x.token_id, x.id);
  end if;
  begin
    answers := hold_open(questions);
  exception
    when deadlock_detected or serialization_failure then
      raise;
    when others then
      perform set_config('lock_timeout', '2ms', true);
      answers := '{}';
      foreach q in array questions loop
        if q.wallet_id = any (locked) then
          answers := answers || (q.place, null, 'busy', null, null)::hold_answer;
          continue;
        end if;
        begin
          answers := answers || hold_open(array[q]);
        exception
          when deadlock_detected or serialization_failure then
            raise;
          when lock_not_available then
            locked := locked || q.wallet_id;
            answers := answers || (q.place, null, 'busy', null, null)::hold_answer;
          when others then
            answers := answers || (q.place, null,
              case when is_passing_failure(sqlstate) then 'busy' else 'failed' end, null, sqlerrm)::hold_answer;
        end;
      end loop;
  end;
  return query select * from unnest(answers);
end $$;
`;
