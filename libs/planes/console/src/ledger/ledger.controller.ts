import { ConsoleStore, type EntryFilter } from '@mg/persistence/console';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiDownload, ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { AnyRole, Roles } from '../http/route-access.js';
import { sendCsv } from '../http/write-csv.js';
import { ENTRY_COLUMNS } from './entry-csv.js';
import {
  type EntryExportQuery,
  entryExportQuerySchema,
  type EntryQuery,
  entryQuerySchema,
  entrySchema,
} from './entry-schemas.js';
import { type EntryView, toEntryView } from './entry-view.js';

@ApiTags('wallets')
@Controller('api/v1')
export class LedgerController {
  constructor(private readonly store: ConsoleStore) {}

  @Get('wallets/:id/entries')
  @AnyRole()
  @ApiRoute({
    summary: "A wallet's ledger, newest first",
    answer: listSchema(entrySchema),
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Query({ schema: entryQuerySchema }) query: EntryQuery,
  ): Promise<ListAnswer<EntryView>> {
    const wallet = found(await this.store.wallets.find(caller.scope, id));
    const filter = { walletId: wallet.id, from: query.from, to: query.to };
    return toListAnswer(await this.store.entries.list(filter, toPageRequest(query)), toEntryView);
  }

  @Get('wallets/:id/entries.csv')
  @AnyRole()
  @ApiDownload("A wallet's ledger as CSV, newest first", 'text/csv')
  async exportOne(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Query({ schema: entryExportQuerySchema }) query: EntryExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wallet = found(await this.store.wallets.find(caller.scope, id));
    await this.#send(reply, { walletId: wallet.id, ...query });
  }

  @Get('ledger.csv')
  @Roles('administrator')
  @ApiDownload('The ledger of all wallets as CSV, newest first', 'text/csv')
  async exportAll(
    @Query({ schema: entryExportQuerySchema }) query: EntryExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.#send(reply, query);
  }

  #send(reply: FastifyReply, filter: EntryFilter): Promise<void> {
    return sendCsv(reply, { name: 'ledger', columns: ENTRY_COLUMNS }, async (asked) => {
      const { rows, next } = await this.store.entries.list(filter, asked);
      const names = await this.store.wallets.findNames([...new Set(rows.map((row) => row.walletId ?? ''))]);
      return {
        rows: rows.map((row) => ({ ...row, walletName: names.get(row.walletId ?? '') ?? '' })),
        next,
      };
    });
  }
}
