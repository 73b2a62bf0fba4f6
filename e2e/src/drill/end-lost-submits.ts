/**
 * Brings tasks whose worker was killed in the middle of a submit to their deadline. Where the provider keeps none of our
 * references nobody hears of such a submit again, and a deadline is a day.
 */
export async function endLostSubmits(query: (sql: string) => Promise<unknown>): Promise<void> {
  await query(
    `update task set deadline_at = now() - interval '1 second', next_run_at = now() - interval '1 second'
      where state = 'submit_unknown' and deadline_at > now()`,
  );
}
