import { omitUndefined } from './omit-undefined.js';
import { type Usage, usageFromRow, type UsageRow, usageToRow } from './usage.js';

/**
 * Why an upstream may bill us for an attempt that no caller pays for:
 *
 * - `timed_out`: given up for a time limit after it was sent, or a video at its deadline;
 * - `failed`: it answered with a 5xx that may be billed, lost the connection, or its answer could not be read or kept;
 * - `stream_broken`: it broke off after the answer had begun;
 * - `abandoned`: the caller left before the answer began, and is not charged, or cancelled a video;
 * - `gateway_lost`: the gateway was killed in mid-call, before any checkpoint;
 * - `hedged`: it was late, another channel was asked as well, and that one answered sooner, or the other way round.
 */
export const WASTE_REASONS = [
  'timed_out',
  'failed',
  'stream_broken',
  'abandoned',
  'gateway_lost',
  'hedged',
] as const;
export type WasteReason = (typeof WASTE_REASONS)[number];

/** What an attempt that nobody pays for used, as far as the gateway knows: an estimate. */
export interface Wasted {
  readonly reason: WasteReason;
  readonly usage: Usage;
  /** The price of the model that was tried; that of the call when left out. */
  readonly priceVersionId?: string | undefined;
}

/** A wasted attempt of a call. */
export interface WastedAttempt extends Wasted {
  /** Its place among the attempts of the call's row in the log, from 0. */
  readonly attempt: number;
  /** The channel's name. */
  readonly channel: string;
}

/** A wasted attempt as it stands in the journal. */
interface WastedAttemptRow {
  readonly attempt: number;
  readonly channel: string;
  readonly reason: WasteReason;
  readonly usage: UsageRow;
  readonly price_version_id?: string | undefined;
}

export function wasteToRows(waste: readonly WastedAttempt[]): WastedAttemptRow[] {
  return waste.map(({ usage, priceVersionId, ...facts }) => ({
    ...facts,
    usage: usageToRow(usage),
    ...omitUndefined({ price_version_id: priceVersionId }),
  }));
}

/** Reads wasted attempts that somebody else wrote; what is none is left out. */
export function wasteFromRows(rows: unknown): WastedAttempt[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: Partial<WastedAttemptRow> | null) => {
    const { attempt, channel, reason, usage, price_version_id: priceVersionId } = row ?? {};
    const isWaste =
      Number.isSafeInteger(attempt) &&
      typeof channel === 'string' &&
      WASTE_REASONS.includes(reason as WasteReason);
    if (!isWaste || typeof usage !== 'object') return [];
    return [
      omitUndefined({
        attempt: attempt as number,
        channel,
        reason: reason as WasteReason,
        usage: usageFromRow(usage ?? {}),
        priceVersionId: typeof priceVersionId === 'string' ? priceVersionId : undefined,
      }),
    ];
  });
}
