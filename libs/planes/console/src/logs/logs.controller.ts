import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { AnyRole } from '../http/route-access.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { LogReader } from './log-reader.js';
import { type LogQuery, logQuerySchema, logSchema } from './log-schemas.js';
import type { LogView } from './log-view.js';

@ApiTags('logs')
@Controller('api/v1/logs')
export class LogsController {
  constructor(private readonly logs: LogReader) {}

  @Get()
  @AnyRole()
  @ApiRoute({ summary: 'Calls, newest first unless sorted', answer: listSchema(logSchema) })
  async list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: logQuerySchema }) query: LogQuery,
  ): Promise<ListAnswer<LogView>> {
    const asked = toPageRequest(query);
    const filter = await this.logs.toFilter(caller, query);
    const page = await this.logs.list(caller, filter, asked, query.sort);
    return toListAnswer(page, (view) => view);
  }

  @Get(':request_id')
  @AnyRole()
  @ApiRoute({ summary: 'A call', answer: logSchema })
  show(
    @CurrentCaller() caller: Caller,
    @Param('request_id', new RowIdPipe()) requestId: string,
  ): Promise<LogView> {
    return this.logs.find(caller, requestId);
  }
}
