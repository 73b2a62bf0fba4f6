import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Caller, CurrentCaller, refuseChannels } from '../http/caller.js';
import { ApiDownload } from '../http/api-route.js';
import { AnyRole } from '../http/route-access.js';
import { sendCsv } from '../http/write-csv.js';
import { LOG_COLUMNS } from './log-csv.js';
import { LogReader } from './log-reader.js';
import { type LogExportQuery, logExportQuerySchema } from './log-schemas.js';

@ApiTags('logs')
@Controller('api/v1/logs.csv')
export class LogExportController {
  constructor(private readonly logs: LogReader) {}

  @Get()
  @AnyRole()
  @ApiDownload('Calls as CSV, newest first', 'text/csv')
  async export(
    @CurrentCaller() caller: Caller,
    @Query({ schema: logExportQuerySchema }) query: LogExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    refuseChannels(caller, 'channel', query.channel !== undefined);
    const filter = await this.logs.toFilter(caller, query);
    await sendCsv(reply, { name: 'logs', columns: LOG_COLUMNS }, (page) =>
      this.logs.list(caller, filter, page),
    );
  }
}
