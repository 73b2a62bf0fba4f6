import { omitUndefined, type UsageRow } from '@mg/contract';
import {
  And,
  type EntityManager,
  Equal,
  type FindOperator,
  type FindOptionsWhere,
  In,
  LessThan,
  MoreThanOrEqual,
  Raw,
} from 'typeorm';
import { callsIn, type OwnerScope, type WalletRows } from './owner-scope.js';
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
  /** Which errors alone. */
  readonly errorClass?: ErrorClass | undefined;
  /** Whether more than one channel, or key of one, was asked. */
  readonly failedOver?: boolean | undefined;
  /** Nano-dollars, as the gateway logged them, that the call cost at least. */
  readonly minCost?: bigint | undefined;
  readonly minLatencyMs?: number | undefined;
  readonly requestId?: string | undefined;
  /** Wallet of a project: its calls alone. */
  readonly projectWalletId?: string | undefined;
}

/** How calls are ordered: the newest, the dearest or the slowest first. */
export const LOG_ORDERS = ['newest', 'cost', 'latency'] as const;
export type LogOrder = (typeof LOG_ORDERS)[number];

/** Of so many of the newest calls that a filter leaves the dearest or slowest are found: it takes the same at any traffic. */
const MOST_RANKED = 100_000;

/** A call is logged at the earliest when its id was made, and a call with an Idempotency-Key may take over an older id. */
const LOGGED_WITHIN_MS = 2 * 24 * 60 * 60_000;
/** Rows of lost calls are written by the clock of the database. */
const CLOCKS_DIFFER_MS = 60_000;

/** The first status of errors, and that of those which providers or the gateway cause. */
const FIRST_ERROR_STATUS = 400;
const FIRST_SERVER_STATUS = 500;

/** Errors of 4xx, and of 5xx. */
export const ERROR_CLASSES = ['client', 'server'] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

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
    return this.#calls.findOneBy(callsIn(scope).map((part) => ({ requestId, ...part })));
  }

  /** Whether there was ever a call. */
  hasAny(): Promise<boolean> {
    return this.#calls.exists();
  }

  /** Newest first: request ids are ordered by time. */
  async list(scope: OwnerScope, filter: LogFilter, page: PageRequest): Promise<Page<LoggedCallRow>> {
    const where = toWhere(scope, filter, page.after);
    if (where.length === 0) return { rows: [], next: undefined };
    const rows = await this.#calls.find({
      where,
      order: { requestId: 'DESC' },
      take: page.limit + 1,
    });
    return cutPage(rows, page.limit, (row) => row.requestId);
  }

  /** The dearest or slowest of the newest 100,000 calls that the filter leaves, those first. */
  async listTop(
    scope: OwnerScope,
    filter: LogFilter,
    order: Exclude<LogOrder, 'newest'>,
    limit: number,
  ): Promise<LoggedCallRow[]> {
    const where = toWhere(scope, filter, undefined);
    if (where.length === 0) return [];
    const column = order === 'cost' ? 'cost' : 'latencyMs';
    const ranked = await this.manager
      .createQueryBuilder()
      .select('newest.request_id', 'id')
      .from(
        (query) =>
          query
            .select('call.requestId', 'request_id')
            .addSelect(`call.${column}`, 'rank')
            .from(RequestLogEntity, 'call')
            .where(where)
            .orderBy('call.requestId', 'DESC')
            .limit(MOST_RANKED),
        'newest',
      )
      .orderBy('newest.rank', 'DESC')
      .addOrderBy('newest.request_id', 'DESC')
      .limit(limit)
      .getRawMany<{ id: string }>();
    const ids = ranked.map(({ id }) => id);
    const rows = await this.#calls.findBy({ requestId: In(ids) });
    const byId = new Map(rows.map((row) => [row.requestId, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
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

type Where = FindOptionsWhere<LoggedCallRow>;

/** Calls that meet one of these are found. */
function toWhere(scope: OwnerScope, filter: LogFilter, after: string | undefined): Where[] {
  const { userId, projectWalletId } = filter;
  return (
    callsIn(scope, projectWalletId)
      // Who sees their own calls alone, and asks for those of somebody else, finds none.
      .filter((part) => userId === undefined || part.userId === undefined || part.userId === userId)
      .flatMap((part) => toWhereOf(part, filter, after))
  );
}

function toWhereOf(part: WalletRows, filter: LogFilter, after: string | undefined): Where[] {
  const { channel, failedOver, requestId, projectWalletId: _wallet, ...others } = filter;
  const tried = failedOver === undefined ? [] : [hasFailedOver(failedOver)];
  const ids = requestId === undefined ? toIdBounds(filter, after) : { requestId: Equal(requestId) };
  const where: Where = {
    ...byTokenOf(part),
    ...toConditions(others),
    ...part,
    ...omitUndefined({ attempts: tried.length === 0 ? undefined : And(...tried) }),
    ...ids,
  };
  if (channel === undefined) return [where];
  return [
    { ...where, channel },
    { ...where, attempts: And(...tried, triedAt(channel)) },
  ];
}

/** Calls have an index by token and none by wallet: all calls of a wallet are found by its tokens. */
function byTokenOf({ userId, walletId }: WalletRows): Where {
  if (walletId === undefined || userId !== undefined) return {};
  const wallets = typeof walletId === 'string' ? [walletId] : walletId.value;
  return {
    tokenId: Raw(
      (column) => `${column} = any(array(select t.id from "token" t where t.wallet_id = any(:wallets)))`,
      { wallets },
    ),
  };
}

/** Most calls have one attempt, which is counted before any is looked at. */
function hasFailedOver(wanted: boolean): FindOperator<LoggedCallRow['attempts']> {
  const asked = `'$[*] ? (@.outcome != "skipped")'`;
  return Raw(
    (column) =>
      `(jsonb_array_length(${column}) > 1 and jsonb_array_length(jsonb_path_query_array(${column}, ${asked})) > 1) = :failedOver`,
    { failedOver: wanted },
  );
}

/** The attempt that is looked for is written once, not for every row. */
function triedAt(channel: string): FindOperator<LoggedCallRow['attempts']> {
  return Raw((column) => `${column} @> :tried::jsonb`, { tried: JSON.stringify([{ channel }]) });
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

function toConditions(
  filter: Omit<LogFilter, 'channel' | 'failedOver' | 'requestId' | 'projectWalletId'>,
): FindOptionsWhere<LoggedCallRow> {
  const { from, to, status, failed, errorClass, minCost, minLatencyMs, ...equal } = filter;
  const conditions: FindOptionsWhere<LoggedCallRow> = {};
  for (const [name, value] of Object.entries(equal)) {
    if (value !== undefined) Object.assign(conditions, { [name]: value });
  }
  // All of these may be given; where they contradict each other nothing is found.
  const statuses: FindOperator<number>[] = [];
  if (status !== undefined) statuses.push(Equal(status));
  if (failed !== undefined) statuses.push((failed ? MoreThanOrEqual : LessThan)(FIRST_ERROR_STATUS));
  if (errorClass === 'client') {
    statuses.push(MoreThanOrEqual(FIRST_ERROR_STATUS), LessThan(FIRST_SERVER_STATUS));
  }
  if (errorClass === 'server') statuses.push(MoreThanOrEqual(FIRST_SERVER_STATUS));
  if (statuses.length > 0) conditions.status = And(...statuses);
  if (minCost !== undefined) conditions.cost = MoreThanOrEqual(minCost);
  if (minLatencyMs !== undefined) conditions.latencyMs = MoreThanOrEqual(minLatencyMs);
  const bounds = [from && MoreThanOrEqual(from), to && LessThan(to)].filter((bound) => bound !== undefined);
  if (bounds.length > 0) conditions.createdAt = And(...bounds);
  return conditions;
}
