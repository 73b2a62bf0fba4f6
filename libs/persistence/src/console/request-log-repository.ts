import type { UsageRow } from '@mg/contract';
import {
  And,
  type EntityManager,
  Equal,
  type FindOperator,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
  Raw,
} from 'typeorm';
import { inWalletOf, type OwnerScope, ownedBy } from './owner-scope.js';
import { cutPage, type Page, type PageRequest } from './page.js';
import { type LoggedCallRow, RequestLogEntity } from '../entities/request-log.js';

export interface LogFilter {
  /** Calls at this moment or later. */
  readonly from?: Date | undefined;
  /** Calls before this moment. */
  readonly to?: Date | undefined;
  readonly tokenId?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: number | undefined;
  readonly endpoint?: string | undefined;
  /** A channel that answered the call, or was tried for it. */
  readonly channel?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly stream?: boolean | undefined;
  readonly userId?: string | undefined;
  /** Whether the answer was an error. */
  readonly failed?: boolean | undefined;
}

/** A call is logged at the earliest when its id was made, and a call with an Idempotency-Key may take over an older id. */
const LOGGED_WITHIN_MS = 2 * 24 * 60 * 60_000;
/** Rows of lost calls are written by the clock of the database. */
const CLOCKS_DIFFER_MS = 60_000;

/** The first status of errors. */
const FIRST_ERROR_STATUS = 400;

/** What billing made of a call: the sum it charged in nano-dollars and, where it knows, the usage it went by. */
export interface SettledCall {
  readonly charged: bigint;
  readonly usage: Partial<UsageRow> | undefined;
  readonly estimated: boolean;
}

/** The reading side of the request log, with the amounts that the ledger charged. */
export class RequestLogRepository {
  constructor(private readonly manager: EntityManager) {}

  find(scope: OwnerScope, requestId: string): Promise<LoggedCallRow | null> {
    return this.#calls.findOneBy({ requestId, ...ownedBy(scope), ...inWalletOf(scope) });
  }

  /** Whether there was ever a call. */
  hasAny(): Promise<boolean> {
    return this.#calls.exists();
  }

  /** Newest first: request ids are ordered by time. */
  async list(scope: OwnerScope, filter: LogFilter, page: PageRequest): Promise<Page<LoggedCallRow>> {
    if (scope.kind === 'user' && filter.userId !== undefined && filter.userId !== scope.userId) {
      return { rows: [], next: undefined };
    }
    const { channel, ...others } = filter;
    const where = {
      ...toConditions(others),
      ...ownedBy(scope),
      ...inWalletOf(scope),
      ...toIdBounds(filter, page.after),
    };
    const rows = await this.#calls.find({
      where:
        channel === undefined
          ? where
          : [
              { ...where, channel },
              { ...where, attempts: triedAt(channel) },
            ],
      order: { requestId: 'DESC' },
      take: page.limit + 1,
    });
    return cutPage(rows, page.limit, (row) => row.requestId);
  }

  /** What billing settled, by request id. Calls without a hold, or whose hold is still open, are absent. */
  async findSettled(requestIds: readonly string[]): Promise<Map<string, SettledCall>> {
    const rows: { id: string; charged: string; usage: Partial<UsageRow> | null; estimated: boolean }[] =
      await this.manager.query(
        `select hold.id, coalesce(ledger.charged, 0) as charged, hold.usage, hold.estimated
           from hold
           left join lateral (
             select -sum(entry.amount) as charged from entry
              where entry.request_id = hold.id::text and entry.wallet_id is not null
           ) as ledger on true
          where hold.id = any($1::uuid[]) and hold.state <> 'open'`,
        [[...requestIds]],
      );
    return new Map(
      rows.map((row) => [
        row.id,
        { charged: BigInt(row.charged), usage: row.usage ?? undefined, estimated: row.estimated },
      ]),
    );
  }

  get #calls() {
    return this.manager.getRepository(RequestLogEntity);
  }
}

function triedAt(channel: string): FindOperator<LoggedCallRow['attempts']> {
  return Raw((column) => `${column} @> jsonb_build_array(jsonb_build_object('channel', :tried::text))`, {
    tried: channel,
  });
}

/**
 * Ids are ordered by time, so that only the ids of the wanted time are read, and only partitions that have them. A call
 * that goes on with the id of a broken one is logged later than its id says.
 */
function toIdBounds({ from, to }: LogFilter, after: string | undefined): FindOptionsWhere<LoggedCallRow> {
  const bounds: FindOperator<string>[] = [];
  if (from !== undefined) bounds.push(MoreThanOrEqual(firstIdAt(from.getTime() - LOGGED_WITHIN_MS)));
  if (to !== undefined) bounds.push(LessThan(firstIdAt(to.getTime() + CLOCKS_DIFFER_MS)));
  if (after !== undefined) bounds.push(LessThan(after));
  return bounds.length === 0 ? {} : { requestId: And(...bounds) };
}

/** The smallest id that a request of this moment can have. */
function firstIdAt(timeMs: number): string {
  const digits = Math.max(0, timeMs).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

function toConditions(filter: Omit<LogFilter, 'channel'>): FindOptionsWhere<LoggedCallRow> {
  const { from, to, failed, ...equal } = filter;
  const conditions: FindOptionsWhere<LoggedCallRow> = {};
  for (const [name, value] of Object.entries(equal)) {
    if (value !== undefined) Object.assign(conditions, { [name]: value });
  }
  // Both filters may be given; where they contradict each other nothing is found.
  if (failed !== undefined) {
    const wanted = failed ? MoreThanOrEqual(FIRST_ERROR_STATUS) : LessThan(FIRST_ERROR_STATUS);
    conditions.status = filter.status === undefined ? wanted : And(Equal(filter.status), wanted);
  }
  const bounds = [from && MoreThanOrEqual(from), to && LessThan(to)].filter((bound) => bound !== undefined);
  if (bounds.length > 0) conditions.createdAt = And(...bounds);
  return conditions;
}
