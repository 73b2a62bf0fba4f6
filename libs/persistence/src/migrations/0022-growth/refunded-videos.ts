/** What videos cost us that their caller got the money back for. */
export const REFUNDED_VIDEOS = /* sql */ `
-- Books videos that a provider had taken and that were given up then, for their deadline or by their caller, as waste: at
-- what the caller had paid. A provider's own failure is not billed. Those of the last two days, once each; answers those that
-- are new.
create function book_refunded_videos(p_limit integer) returns table (channel text, reason text, amount bigint) language sql
set enable_seqscan = off as $$
  select b.* from book_waste((
    select coalesce(jsonb_agg(jsonb_build_object('request_id', v.id, 'attempt', 0, 'channel', coalesce(v.channel_name, ''),
      'model', v.model_slug, 'reason', case v.state when 'expired' then 'timed_out' else 'abandoned' end, 'amount', v.amount,
      'usage', jsonb_build_object('seconds', v.seconds))), '[]')
    from (
      select t.* from task t
      where t.state in ('expired', 'cancelled') and t.submitted_at is not null and t.finished_at > now() - interval '2 days'
        and not exists (select from waste w where w.request_id = t.id)
      order by t.finished_at limit p_limit) v)) b;
$$;
`;
