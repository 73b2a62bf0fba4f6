import { formatUsd } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import {
  type ListAnswer,
  type PageQuery,
  pageQuerySchema,
  toListAnswer,
  toPageRequest,
} from '../http/page-query.js';
import { AnyRole, Roles } from '../http/route-access.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { toEntryView } from '../ledger/entry-view.js';
import {
  type BatchCreate,
  batchCreateSchema,
  type BatchPatch,
  batchPatchSchema,
  batchSchema,
  batchWithCodesSchema,
  codeSchema,
  redeemAnswerSchema,
  type RedeemRequest,
  redeemSchema,
} from './redemption-schemas.js';
import { RedemptionService } from './redemption-service.js';
import { type BatchView, type CodeView, toBatchView, toCodeView } from './redemption-view.js';

@ApiTags('redemption codes')
@Controller('api/v1/redemption-codes')
export class RedemptionController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly redemptions: RedemptionService,
  ) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Batches of codes, newest first',
    answer: listSchema(batchSchema),
  })
  async list(@Query({ schema: pageQuerySchema }) query: PageQuery): Promise<ListAnswer<BatchView>> {
    return toListAnswer(await this.store.redemptions.list(toPageRequest(query)), toBatchView);
  }

  @Post()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Create a batch of codes; their text is in this answer only',
    answer: batchWithCodesSchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: batchCreateSchema }) body: BatchCreate,
  ): Promise<z.output<typeof batchWithCodesSchema>> {
    const { batch, codes } = await this.redemptions.create(caller, body);
    return { ...toBatchView(batch), codes };
  }

  @Post('redeem')
  @AnyRole()
  @ApiRoute({
    summary: 'Turn a code into balance; asking again credits once',
    answer: redeemAnswerSchema,
  })
  async redeem(
    @CurrentCaller() caller: Caller,
    @Body({ schema: redeemSchema }) body: RedeemRequest,
  ): Promise<z.output<typeof redeemAnswerSchema>> {
    const { entry, balance } = await this.redemptions.redeem(caller, body);
    return { entry: toEntryView(entry), balance: formatUsd(balance) };
  }

  @Patch(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'Disable or enable a batch', answer: batchSchema })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: batchPatchSchema }) body: BatchPatch,
  ): Promise<BatchView> {
    return toBatchView(await this.redemptions.change(caller, id, body));
  }

  @Get(':id/codes')
  @Roles('administrator')
  @ApiRoute({
    summary: 'What became of the codes of a batch',
    answer: listSchema(codeSchema),
  })
  async listCodes(
    @Param('id', new RowIdPipe()) id: string,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<ListAnswer<CodeView>> {
    const batch = found(await this.store.redemptions.find(id));
    const page = await this.store.redemptions.listCodes(batch.id, toPageRequest(query));
    return toListAnswer(page, toCodeView);
  }
}
