import { ConsoleStore, type LoggedCallRow } from '@mg/persistence';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { DescribeRoute } from '../http/describe-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { AnyRole } from '../http/route-access.js';
import { RowIdPipe, ZodPipe } from '../http/zod-pipe.js';
import { logQuerySchema, logSchema } from './log-schemas.js';
import { type LogView, toLogView } from './log-view.js';

@ApiTags('logs')
@Controller('api/v1/logs')
export class LogsController {
  constructor(private readonly store: ConsoleStore) {}

  @Get()
  @AnyRole()
  @DescribeRoute({ summary: 'Calls, newest first', query: logQuerySchema, answer: listSchema(logSchema) })
  async list(
    @CurrentCaller() caller: Caller,
    @Query(new ZodPipe(logQuerySchema)) query: z.output<typeof logQuerySchema>,
  ): Promise<ListAnswer<LogView>> {
    const { from, to, token_id: tokenId, model, status, endpoint } = query;
    const page = await this.store.logs.list(
      caller.scope,
      { from, to, tokenId, model, status, endpoint },
      toPageRequest(query, z.uuid()),
    );
    const explained = await this.#explain(page.rows);
    return toListAnswer({ rows: explained, next: page.next }, (view) => view);
  }

  @Get(':request_id')
  @AnyRole()
  @DescribeRoute({ summary: 'A call', answer: logSchema })
  async show(
    @CurrentCaller() caller: Caller,
    @Param('request_id', new RowIdPipe()) requestId: string,
  ): Promise<LogView> {
    const call = found(await this.store.logs.find(caller.scope, requestId));
    return found((await this.#explain([call]))[0]);
  }

  async #explain(calls: readonly LoggedCallRow[]): Promise<LogView[]> {
    const priceIds = calls.map((call) => call.priceVersionId).filter((id) => id !== null);
    const [settled, prices] = await Promise.all([
      this.store.logs.findSettled(calls.map((call) => call.requestId)),
      this.store.models.findPricesById([...new Set(priceIds)]),
    ]);
    return calls.map((call) =>
      toLogView(call, settled.get(call.requestId), prices.get(call.priceVersionId ?? '')),
    );
  }
}
