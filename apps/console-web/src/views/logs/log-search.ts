import { readSearch } from '../../api/read-search.js';
import type { QueryOf } from '../../api/routes.js';

/** What the address of the logs says: filters, and the call that is open. */
export interface LogSearch {
  /** The first and the last day that are shown, as the reader's clock has them. */
  readonly from?: string;
  readonly to?: string;
  readonly token_id?: string;
  readonly model?: string;
  readonly status?: string;
  readonly endpoint?: string;
  readonly channel?: string;
  readonly error_code?: string;
  readonly user_id?: string;
  /** "true" or "false". */
  readonly failed?: string;
  readonly stream?: string;
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
  'failed',
  'stream',
] as const;

export function readLogSearch(search: Record<string, unknown>): LogSearch {
  return readSearch(search, [...FILTERS, 'call']);
}

/** What the API is asked: the filters, with days as moments; the last day counts to its end. */
export function toLogQuery({ from, to, call: _open, ...filters }: LogSearch): QueryOf<'/api/v1/logs.csv'> {
  return {
    ...filters,
    from: from && beginOfDay(from, 0),
    to: to && beginOfDay(to, 1),
  };
}

/** The moment at which a day begins here, so many days later. What is no day stays, for the API to say so. */
function beginOfDay(day: string, laterDays: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const moment = new Date(year, month - 1, date + laterDays);
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString();
}
