import { setImmediate } from 'node:timers/promises';
import {
  ConsoleStore,
  type LogFilter,
  type LogOrder,
  type LoggedCallRow,
  type Page,
  type PageRequest,
} from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { type Caller, refuseChannels } from '../http/caller.js';
import { found } from '../http/found.js';
import { findProjectWallet } from '../projects/project-access.js';
import type { LogExportQuery } from './log-schemas.js';
import { type LogView, toLogView } from './log-view.js';

/** Calls that are explained in one step: what was said of each of their attempts is read, too. */
const EXPLAINED_AT_ONCE = 25;

/** Logged calls with what the ledger and the price lists say of them. */
@Injectable()
export class LogReader {
  constructor(private readonly store: ConsoleStore) {}

  /** What a query asks for. @throws GatewayError `not_found` for a project that the caller is not in. */
  async toFilter(caller: Caller, query: LogExportQuery): Promise<LogFilter> {
    return toLogFilter(query, await findProjectWallet(this.store, caller, query.project_id));
  }

  /** Newest first by default. @throws GatewayError `forbidden` when a member filters by channel. */
  async list(
    caller: Caller,
    filter: LogFilter,
    page: PageRequest,
    order: LogOrder = 'newest',
  ): Promise<Page<LogView>> {
    refuseChannels(caller, 'channel', filter.channel !== undefined);
    refuseChannels(caller, 'failed_over', filter.failedOver !== undefined);
    if (order !== 'newest') {
      const calls = await this.store.logs.listTop(caller.scope, filter, order, page.limit);
      return { rows: await this.#explain(caller, calls), next: undefined };
    }
    const { rows, next } = await this.store.logs.list(caller.scope, filter, page);
    return { rows: await this.#explain(caller, rows), next };
  }

  /** @throws GatewayError `not_found`. */
  async find(caller: Caller, requestId: string): Promise<LogView> {
    const call = found(await this.store.logs.find(caller.scope, requestId));
    return found((await this.#explain(caller, [call]))[0]);
  }

  async #explain(caller: Caller, calls: readonly LoggedCallRow[]): Promise<LogView[]> {
    const priceIds = calls.map((call) => call.priceVersionId).filter((id) => id !== null);
    const [settled, prices] = await Promise.all([
      this.store.logs.findSettled(calls.map((call) => call.requestId)),
      this.store.models.findPricesById([...new Set(priceIds)]),
    ]);
    const views: LogView[] = [];
    for (const [at, call] of calls.entries()) {
      if (at > 0 && at % EXPLAINED_AT_ONCE === 0) await setImmediate();
      views.push(toLogView(caller, call, settled.get(call.requestId), prices.get(call.priceVersionId ?? '')));
    }
    return views;
  }
}

function toLogFilter(query: LogExportQuery, projectWalletId: string | undefined): LogFilter {
  const { from, to, model, status, endpoint, channel, stream, failed } = query;
  return {
    from,
    to,
    model,
    status,
    endpoint,
    channel,
    stream,
    failed,
    tokenId: query.token_id,
    errorClass: query.error_class,
    failedOver: query.failed_over,
    minCost: query.min_cost,
    minLatencyMs: query.min_latency_ms,
    requestId: query.request_id,
    errorCode: query.error_code,
    userId: query.user_id,
    projectWalletId,
  };
}
