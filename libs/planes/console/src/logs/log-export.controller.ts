import { Readable } from 'node:stream';
import type { LogFilter } from '@mg/persistence/console';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Caller, CurrentCaller, refuseChannels } from '../http/caller.js';
import { ApiDownload } from '../http/api-route.js';
import { AnyRole } from '../http/route-access.js';
import { LogReader } from './log-reader.js';
import { type LogExportQuery, logExportQuerySchema } from './log-schemas.js';
import { CSV_HEADER, toCsvLine } from './write-csv.js';

const ROWS_AT_ONCE = 500;

@ApiTags('logs')
@Controller('api/v1/logs.csv')
export class LogExportController {
  constructor(private readonly logs: LogReader) {}

  /** Read page by page as fast as the client takes it, so that any number of calls needs the memory of one page. */
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
    const stream = Readable.from(this.#readLines(caller, filter));
    await reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="logs.csv"',
      })
      .send(stream);
  }

  async *#readLines(caller: Caller, filter: LogFilter): AsyncGenerator<string> {
    yield CSV_HEADER;
    let after: string | undefined;
    do {
      const page = await this.logs.list(caller, filter, { limit: ROWS_AT_ONCE, after });
      if (page.rows.length > 0) yield page.rows.map(toCsvLine).join('');
      after = page.next;
    } while (after !== undefined);
  }
}
