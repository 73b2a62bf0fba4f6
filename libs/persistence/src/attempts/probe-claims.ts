import type { DataSource } from 'typeorm';

/** When channels were asked last, so that one gateway probes an idle one for all. */
export class ProbeClaimStore {
  constructor(private readonly database: DataSource) {}

  /** Calls went to these channels. */
  async noteAsked(channelIds: readonly string[]): Promise<void> {
    await this.database.query(
      `insert into channel_probe (channel_id, asked_at)
       select c.id, now() from channel c where c.id = any($1::uuid[]) order by c.id
       on conflict (channel_id) do update set asked_at = excluded.asked_at`,
      [channelIds],
    );
  }

  /** Answers whether a channel had no calls for so many milliseconds; then the probe counts as one now. */
  async claim(channelId: string, everyMs: number): Promise<boolean> {
    const rows = await this.database.query<unknown[]>(
      `insert into channel_probe as p (channel_id, asked_at) select c.id, now() from channel c where c.id = $1
       on conflict (channel_id) do update set asked_at = excluded.asked_at
         where p.asked_at <= now() - make_interval(secs => $2::double precision / 1000)
       returning 1`,
      [channelId, everyMs],
    );
    return rows.length > 0;
  }
}
