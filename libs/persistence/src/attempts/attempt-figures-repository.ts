import type { AttemptFigures } from '@mg/contract';
import type { EntityManager } from 'typeorm';

/** How the attempts of a channel's key for a model went, in the last hour and in the last 24. */
export interface RecentAttempts {
  readonly hour: AttemptFigures;
  readonly day: AttemptFigures;
}

interface CountRow {
  readonly channel_id: string;
  readonly model: string;
  readonly key: string;
  readonly is_hour: boolean;
  readonly served: string;
  readonly failed: string;
  readonly failed_at: Date | null;
  readonly failed_status: number | null;
  readonly failed_reason: string | null;
}

interface ClassRow extends Pick<CountRow, 'channel_id' | 'model' | 'key' | 'is_hour'> {
  readonly is_whole: boolean;
  readonly place: string;
  readonly count: string;
}

/** Of both questions: rows of the last 24 hours, those of the last hour a second time. */
const RECENT = /* sql */ `with recent as (
  select f.*, w.is_hour from attempt_figures f
    join (values (true, interval '1 hour'), (false, interval '24 hours')) as w(is_hour, span) on f.starts_at > now() - w.span
   where f.starts_at > now() - interval '24 hours' and ($1::uuid is null or f.channel_id = $1)
)`;

/** Reads the figures that gateways report of their attempts. */
export class AttemptFiguresRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Each part that was asked in the last 24 hours. @param channelId of one channel alone. */
  async list(channelId: string | undefined): Promise<RecentAttempts[]> {
    const counts = await this.manager.query<CountRow[]>(
      `${RECENT}
       select channel_id, model, key, is_hour, sum(served) as served, sum(failed) as failed, max(failed_at) as failed_at,
              (array_agg(failed_status order by failed_at desc nulls last))[1] as failed_status,
              (array_agg(failed_reason order by failed_at desc nulls last))[1] as failed_reason
         from recent group by channel_id, model, key, is_hour order by channel_id, model, key`,
      [channelId ?? null],
    );
    const classes = await this.manager.query<ClassRow[]>(
      `${RECENT}
       select channel_id, model, key, is_hour, is_whole, place, sum(n) as count
         from recent, lateral (
           select true as is_whole, n, place from unnest(whole_ms) with ordinality as w(n, place) where n > 0
           union all
           select false, n, place from unnest(first_ms) with ordinality as s(n, place) where n > 0) as h
        group by channel_id, model, key, is_hour, is_whole, place`,
      [channelId ?? null],
    );
    return join(counts, classes);
  }
}

function join(counts: readonly CountRow[], classes: readonly ClassRow[]): RecentAttempts[] {
  const histograms = Map.groupBy(classes, nameSpan);
  const ofHour = new Map<string, AttemptFigures>();
  for (const row of counts) if (row.is_hour) ofHour.set(nameRow(row), toFigures(row, histograms));
  return counts
    .filter((row) => !row.is_hour)
    .map((row) => {
      const day = toFigures(row, histograms);
      return { day, hour: ofHour.get(nameRow(row)) ?? { ...day, ...NOTHING } };
    });
}

const NOTHING = { served: 0, failed: 0, wholeMs: [], firstMs: [], lastFailure: undefined };

function toFigures(row: CountRow, histograms: ReadonlyMap<string, readonly ClassRow[]>): AttemptFigures {
  const classes = histograms.get(nameSpan(row)) ?? [];
  const { failed_at: at, failed_status: status, failed_reason: reason } = row;
  return {
    channelId: row.channel_id,
    model: row.model,
    key: row.key,
    served: Number(row.served),
    failed: Number(row.failed),
    wholeMs: toHistogram(classes.filter(({ is_whole: isWhole }) => isWhole)),
    firstMs: toHistogram(classes.filter(({ is_whole: isWhole }) => !isWhole)),
    lastFailure: at === null ? undefined : { at, status: status ?? undefined, reason: reason ?? '' },
  };
}

function toHistogram(classes: readonly ClassRow[]): number[] {
  const last = Math.max(0, ...classes.map(({ place }) => Number(place)));
  const histogram = Array.from({ length: last }, () => 0);
  for (const { place, count } of classes) histogram[Number(place) - 1] = Number(count);
  return histogram;
}

function nameRow({ channel_id: channelId, model, key }: Pick<CountRow, 'channel_id' | 'model' | 'key'>) {
  return `${channelId} ${model} ${key}`;
}

function nameSpan(row: Pick<CountRow, 'channel_id' | 'model' | 'key' | 'is_hour'>): string {
  return `${row.is_hour} ${nameRow(row)}`;
}
