import { formatUsd, GatewayError, parseUsd, type WalletPort } from '@mg/contract';
import { ConsoleStore, type WalletSettings } from '@mg/persistence/console';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { recordChange } from '../audit/record-change.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { AnyRole, Roles } from '../http/route-access.js';
import { toEntryView } from '../ledger/entry-view.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { CreditLimits } from './credit-limits.js';
import { WalletOpener } from './wallet-opener.js';
import { InjectWalletPort } from './wallet-port.js';
import {
  topUpAnswerSchema,
  type TopUpRequest,
  topUpSchema,
  type WalletChange,
  walletChangeSchema,
  type WalletCreate,
  walletCreateSchema,
  type WalletQuery,
  walletQuerySchema,
  walletSchema,
  walletTotalsSchema,
} from './wallet-schemas.js';
import { toWalletSettings } from './wallet-settings.js';
import { toTotalsView, toWalletView, type WalletView } from './wallet-view.js';

@ApiTags('wallets')
@Controller('api/v1/wallets')
export class WalletsController {
  constructor(
    private readonly store: ConsoleStore,
    @InjectWalletPort() private readonly wallets: WalletPort,
    private readonly creditLimits: CreditLimits,
    private readonly opener: WalletOpener,
  ) {}

  @Get()
  @AnyRole()
  @ApiRoute({ summary: 'Wallets', answer: listSchema(walletSchema) })
  async list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: walletQuerySchema }) query: WalletQuery,
  ): Promise<ListAnswer<WalletView>> {
    const choice = { search: query.search, ids: query.ids, userId: query.user_id };
    const page = await this.store.wallets.list(caller.scope, toPageRequest(query), choice, query);
    return toListAnswer(page, toWalletView);
  }

  @Post()
  @Roles('administrator')
  @ApiRoute({
    summary: "Open an empty wallet, of a user or of the operator's, which a new project may take",
    answer: walletSchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: walletCreateSchema }) body: WalletCreate,
  ): Promise<WalletView> {
    return toWalletView(await this.opener.open(caller, body));
  }

  @Get('totals')
  @AnyRole()
  @ApiRoute({ summary: 'What all wallets hold together', answer: walletTotalsSchema })
  async total(@CurrentCaller() caller: Caller): Promise<z.output<typeof walletTotalsSchema>> {
    return toTotalsView(await this.store.wallets.total(caller.scope));
  }

  @Get(':id')
  @AnyRole()
  @ApiRoute({ summary: 'A wallet', answer: walletSchema })
  async show(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<WalletView> {
    return toWalletView(found(await this.store.wallets.find(caller.scope, id)));
  }

  @Patch(':id')
  @Roles('administrator')
  @ApiRoute({
    summary: 'Change how far a wallet may go below zero, its limits, its budgets and when it counts as low',
    answer: walletSchema,
  })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: walletChangeSchema }) body: WalletChange,
  ): Promise<WalletView> {
    const wallet = found(await this.store.wallets.find(caller.scope, id));
    const settings = toWalletSettings(body);
    if (Object.keys(settings).length > 0) await this.#configure(caller, wallet.id, settings);
    if (body.credit_limit !== undefined) await this.creditLimits.set(caller, wallet.id, body.credit_limit);
    return toWalletView(found(await this.store.wallets.find(caller.scope, id)));
  }

  async #configure(caller: Caller, id: string, change: WalletSettings): Promise<void> {
    await this.store.transaction(async (store) => {
      const before = toWalletView(found(await store.wallets.find(caller.scope, id)));
      await store.wallets.update(id, change);
      const after = toWalletView(found(await store.wallets.find(caller.scope, id)));
      await recordChange(store, caller, {
        action: 'wallet.update',
        targetId: id,
        before: toSettings(before),
        after: toSettings(after),
      });
    });
  }

  @Post(':id/topups')
  @Roles('administrator')
  @ApiRoute({
    summary: 'Put money in, or take it out; once for each idempotency key',
    answer: topUpAnswerSchema,
  })
  async topUp(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: topUpSchema }) body: TopUpRequest,
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
    const entry = found(await this.store.entries.find(wallet.id, outcome.entryId));
    return { entry: toEntryView(entry), balance: formatUsd(outcome.balance) };
  }
}

/** What is configured of a wallet, as the audit log shows it. */
function toSettings({ limits, budgets, alert_below }: WalletView): Partial<WalletView> {
  return { limits, budgets, alert_below };
}

/** Nobody has to pay here: the adjustment conflicts with what the wallet has. */
function refuseAsConflict(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'insufficient_balance') throw error;
  throw new GatewayError(error.code, error.message, {
    param: error.param,
    reason: 'more_than_available',
    status: 409,
    cause: error,
  });
}
