import { ConsoleStore, type PriceImportRow } from '@mg/persistence/console';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { Roles } from '../http/route-access.js';
import { RowIdPipe } from '../http/path-pipes.js';
import {
  type PriceImportCreate,
  priceImportCreateSchema,
  priceImportSchema,
} from './price-import-schemas.js';
import { PriceImportService } from './price-import-service.js';

type PriceImportView = z.output<typeof priceImportSchema>;

@ApiTags('models')
@Controller('api/v1/price-imports')
export class PriceImportController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly imports: PriceImportService,
  ) {}

  @Post()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Compare a file of prices with those in force; changes none',
    answer: priceImportSchema,
    status: 201,
  })
  async review(
    @CurrentCaller() caller: Caller,
    @Body({ schema: priceImportCreateSchema }) body: PriceImportCreate,
  ): Promise<PriceImportView> {
    return toPriceImportView(await this.imports.review(caller, body));
  }

  @Get(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'What a file of prices changes', answer: priceImportSchema })
  async show(@Param('id', new RowIdPipe()) id: string): Promise<PriceImportView> {
    return toPriceImportView(found(await this.store.priceImports.find(id)));
  }

  @Post(':id/apply')
  @Roles('administrator')
  @ApiRoute({
    summary: 'Put the new and the changed prices in force; calls keep the price they were admitted under',
    answer: priceImportSchema,
  })
  async apply(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<PriceImportView> {
    return toPriceImportView(await this.imports.apply(caller, id));
  }
}

function toPriceImportView(row: PriceImportRow): PriceImportView {
  const count = (change: keyof PriceImportView['counts']) =>
    row.lines.filter((line) => line.change === change).length;
  return {
    id: row.id,
    source: row.source,
    created_at: row.createdAt.toISOString(),
    applied_at: row.appliedAt?.toISOString() ?? null,
    counts: {
      new: count('new'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      unknown_model: count('unknown_model'),
    },
    lines: row.lines.map(({ slug, change, before, after }) => ({ slug, change, before, after })),
  };
}
