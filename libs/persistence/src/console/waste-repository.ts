import type { EntityManager } from 'typeorm';

/** What attempts that nobody pays for may have cost us. Cost in nano-dollars, as an estimate. */
export interface WasteTotals {
  readonly calls: number;
  readonly attempts: number;
  readonly cost: bigint;
}

/** The same for one channel and reason. */
export interface WasteSum extends WasteTotals {
  /** The channel's name; empty where it is not known. */
  readonly channel: string;
  readonly reason: string;
}

interface SumRow {
  readonly channel: string | null;
  readonly reason: string | null;
  readonly calls: string;
  readonly attempts: string;
  readonly cost: string;
}

/** Waste as billing booked it. */
export class WasteRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Sums the waste that was booked from one moment until before another, by channel and reason, most expensive first. */
  async sum(from: Date, to: Date): Promise<{ readonly sums: WasteSum[]; readonly total: WasteTotals }> {
    const rows = await this.manager.query<SumRow[]>(
      `select channel, reason, count(distinct request_id) as calls, count(*) as attempts, coalesce(sum(amount), 0) as cost
         from waste where created_at >= $1 and created_at < $2
        group by grouping sets ((channel, reason), ()) order by cost desc, channel, reason`,
      [from, to],
    );
    const sums = rows.flatMap(({ channel, reason, ...row }) =>
      channel === null || reason === null ? [] : [{ channel, reason, ...toTotals(row) }],
    );
    const total = rows.find(({ channel }) => channel === null);
    return { sums, total: total ? toTotals(total) : { calls: 0, attempts: 0, cost: 0n } };
  }
}

function toTotals({ calls, attempts, cost }: Pick<SumRow, 'calls' | 'attempts' | 'cost'>): WasteTotals {
  return { calls: Number(calls), attempts: Number(attempts), cost: BigInt(cost) };
}
