import { beginOfDay, dayOf, toDayBounds } from '../../layout/time-zone.js';
import { readSearch } from '../../api/read-search.js';
import type { QueryOf } from '../../api/routes.js';

/** What the address of the logs says: filters, and the call that is open. */
export interface LogSearch {
  /** The first and the last day that are shown, in the zone that the reader chose. */
  readonly from?: string;
  readonly to?: string;
  readonly token_id?: string;
  readonly model?: string;
  readonly status?: string;
  readonly endpoint?: string;
  readonly channel?: string;
  readonly error_code?: string;
  readonly user_id?: string;
  readonly project_id?: string;
  /** "true" or "false". */
  readonly failed?: string;
  /** "client" or "server": errors of 4xx, or of 5xx. */
  readonly error_class?: string;
  readonly stream?: string;
  readonly failed_over?: string;
  /** USD. */
  readonly min_cost?: string;
  readonly min_latency_ms?: string;
  readonly request_id?: string;
  /** A period that goes along with the clock, in place of days. */
  readonly preset?: string;
  /** "cost" or "latency"; the newest first without. */
  readonly sort?: string;
  /** The call whose details are open. */
  readonly call?: string;
}

const FILTERS = [
  'from',
  'to',
  'token_id',
  'model',
  'status',
  'endpoint',
  'channel',
  'error_code',
  'user_id',
  'project_id',
  'failed',
  'error_class',
  'stream',
  'failed_over',
  'min_cost',
  'min_latency_ms',
  'request_id',
  'preset',
  'sort',
] as const;

export function readLogSearch(search: Record<string, unknown>): LogSearch {
  return readSearch(search, [...FILTERS, 'call']);
}

export const PRESETS = ['hour', 'day', 'today', 'yesterday', 'week'] as const;
type Preset = (typeof PRESETS)[number];

const HOUR_MS = 3_600_000;
/** Moments are asked for in whole minutes, so that a list that is asked again is the same list. */
const STEP_MS = 60_000;

/** What the API is asked: the filters, with days as moments; the last day counts to its end. */
export function toLogQuery(
  { from, to, preset, call: _open, ...filters }: LogSearch,
  nowMs: number = Date.now(),
): Omit<QueryOf<'/api/v1/logs'>, 'limit' | 'cursor'> {
  const known = PRESETS.find((name) => name === preset);
  if (known !== undefined) return { ...filters, ...boundsOf(known, nowMs) };
  return { ...filters, ...toDayBounds({ from, to }) };
}

function boundsOf(preset: Preset, nowMs: number): { from: string; to?: string } {
  const ago = (hours: number) =>
    new Date(Math.floor(nowMs / STEP_MS) * STEP_MS - hours * HOUR_MS).toISOString();
  const [year, month, date] = dayOf(new Date(nowMs));
  const dayAgo = (days: number) => beginOfDay(year, month, date - days).toISOString();
  switch (preset) {
    case 'hour':
      return { from: ago(1) };
    case 'day':
      return { from: ago(24) };
    case 'week':
      return { from: ago(7 * 24) };
    case 'today':
      return { from: dayAgo(0) };
    case 'yesterday':
      return { from: dayAgo(1), to: dayAgo(0) };
  }
}
