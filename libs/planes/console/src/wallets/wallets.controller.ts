import { formatUsd, GatewayError, parseUsd, type WalletPort } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { recordChange } from '../audit/record-change.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { DescribeRoute } from '../http/describe-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, pageQuerySchema, toListAnswer, toPageRequest } from '../http/page-query.js';
import { AnyRole, Roles } from '../http/route-access.js';
import { RowIdPipe, ZodPipe } from '../http/zod-pipe.js';
import { InjectWalletPort } from './wallet-port.js';
import {
  entrySchema,
  topUpAnswerSchema,
  topUpSchema,
  walletChangeSchema,
  walletSchema,
} from './wallet-schemas.js';
import { type EntryView, toEntryView, toWalletView, type WalletView } from './wallet-view.js';

const entryKey = z.string().regex(/^\d{1,18}$/);

@ApiTags('wallets')
@Controller('api/v1/wallets')
export class WalletsController {
  constructor(
    private readonly store: ConsoleStore,
    @InjectWalletPort() private readonly wallets: WalletPort,
  ) {}

  @Get()
  @AnyRole()
  @DescribeRoute({ summary: 'Wallets', query: pageQuerySchema, answer: listSchema(walletSchema) })
  async list(
    @CurrentCaller() caller: Caller,
    @Query(new ZodPipe(pageQuerySchema)) query: z.output<typeof pageQuerySchema>,
  ): Promise<ListAnswer<WalletView>> {
    const page = await this.store.wallets.list(caller.scope, toPageRequest(query, z.uuid()));
    return toListAnswer(page, toWalletView);
  }

  @Get(':id')
  @AnyRole()
  @DescribeRoute({ summary: 'A wallet', answer: walletSchema })
  async show(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<WalletView> {
    return toWalletView(found(await this.store.wallets.find(caller.scope, id)));
  }

  @Get(':id/entries')
  @AnyRole()
  @DescribeRoute({
    summary: "A wallet's ledger, newest first",
    query: pageQuerySchema,
    answer: listSchema(entrySchema),
  })
  async listEntries(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Query(new ZodPipe(pageQuerySchema)) query: z.output<typeof pageQuerySchema>,
  ): Promise<ListAnswer<EntryView>> {
    const wallet = found(await this.store.wallets.find(caller.scope, id));
    const page = await this.store.wallets.listEntries(wallet.id, toPageRequest(query, entryKey));
    return toListAnswer(page, toEntryView);
  }

  @Patch(':id')
  @Roles('administrator')
  @DescribeRoute({
    summary: 'Change how far a wallet may go below zero',
    body: walletChangeSchema,
    answer: walletSchema,
  })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body(new ZodPipe(walletChangeSchema)) body: z.output<typeof walletChangeSchema>,
  ): Promise<WalletView> {
    const wallet = found(await this.store.wallets.find(caller.scope, id));
    const creditLimit = parseUsd(body.credit_limit);
    const earlier = await this.wallets.limitCredit({ walletId: wallet.id, creditLimit });
    await recordChange(this.store, caller, {
      action: 'wallet.update',
      targetId: wallet.id,
      before: { credit_limit: formatUsd(earlier) },
      after: { credit_limit: formatUsd(creditLimit) },
    });
    return toWalletView(found(await this.store.wallets.find(caller.scope, id)));
  }

  @Post(':id/topups')
  @HttpCode(200)
  @Roles('administrator')
  @DescribeRoute({
    summary: 'Put money in, or take it out; once for each idempotency key',
    body: topUpSchema,
    answer: topUpAnswerSchema,
  })
  async topUp(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body(new ZodPipe(topUpSchema)) body: z.output<typeof topUpSchema>,
  ): Promise<z.output<typeof topUpAnswerSchema>> {
    const wallet = found(await this.store.wallets.find(caller.scope, id));
    const outcome = await this.wallets
      .topUp({
        walletId: wallet.id,
        amount: parseUsd(body.amount),
        note: body.note,
        idempotencyKey: body.idempotency_key,
      })
      .catch(refuseAsConflict);
    // Billing has committed already. Should this fail, asking again by the same key writes it down.
    await recordChange(this.store, caller, { action: 'wallet.top_up', targetId: wallet.id, after: body });
    const entry = found(await this.store.wallets.findEntry(wallet.id, outcome.entryId));
    return { entry: toEntryView(entry), balance: formatUsd(outcome.balance) };
  }
}

/** Nobody has to pay here: the adjustment conflicts with what the wallet has. */
function refuseAsConflict(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'insufficient_balance') throw error;
  throw new GatewayError(error.code, error.message, { param: error.param, status: 409, cause: error });
}
