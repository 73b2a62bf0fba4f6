import { newId, parseUsd, refuse, type WalletPort } from '@mg/contract';
import { ConsoleStore, type EntryRow, type RedemptionBatch, type WalletRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import { LoginLimits } from '../auth/login-limits.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import { DefaultWallets } from '../wallets/default-wallets.js';
import { InjectWalletPort } from '../wallets/wallet-port.js';
import { hashRedemptionCode, makeRedemptionCode } from './redemption-code.js';
import type { BatchCreate, BatchPatch, RedeemRequest } from './redemption-schemas.js';
import { toBatchView } from './redemption-view.js';

/** Codes that administrators hand out and anybody turns into balance, once. */
@Injectable()
export class RedemptionService {
  constructor(
    private readonly store: ConsoleStore,
    @InjectWalletPort() private readonly wallets: WalletPort,
    private readonly defaultWallets: DefaultWallets,
    private readonly limits: LoginLimits,
  ) {}

  /** Makes codes, which exist in this answer and nowhere else. */
  async create(caller: Caller, input: BatchCreate): Promise<{ batch: RedemptionBatch; codes: string[] }> {
    const id = newId();
    const made = Array.from({ length: input.count }, makeRedemptionCode);
    const batch = await this.store.transaction(async (store) => {
      await store.redemptions.insert({
        id,
        note: input.note,
        amount: parseUsd(input.amount),
        expiresAt: input.expires_at === null ? null : new Date(input.expires_at),
        createdBy: caller.id,
        codes: made.map(({ stored }) => stored),
      });
      const created = found(await store.redemptions.find(id));
      const after = toBatchView(created);
      await recordChange(store, caller, { action: 'redemption_batch.create', targetId: id, after });
      return created;
    });
    return { batch, codes: made.map(({ code }) => code) };
  }

  async change(caller: Caller, id: string, { disabled }: BatchPatch): Promise<RedemptionBatch> {
    return this.store.transaction(async (store) => {
      const before = found(await store.redemptions.find(id));
      await store.redemptions.setDisabled(id, disabled);
      const after = { ...before, disabled };
      await recordChange(store, caller, {
        action: 'redemption_batch.change',
        targetId: id,
        before: toBatchView(before),
        after: toBatchView(after),
      });
      return after;
    });
  }

  /**
   * Turns a code into balance of the caller's. The code is given to the wallet first and credited then, under the code's
   * own key: whatever fails between the two, asking again credits once.
   *
   * @throws GatewayError `not_found`, the same for codes that are unknown, used, expired or disabled; `rate_limited`.
   */
  async redeem(caller: Caller, input: RedeemRequest): Promise<{ entry: EntryRow; balance: bigint }> {
    await this.limits.countGuess('redemption code', caller.id);
    const wallet = await this.#findWallet(caller, input.wallet_id);
    const code = await this.#claim(caller, wallet, input.code);
    await this.limits.giveBackGuess('redemption code', caller.id);
    const outcome = await this.wallets.topUp({
      walletId: wallet.id,
      amount: code.amount,
      note: code.note === '' ? 'redemption code' : `redemption code: ${code.note}`,
      idempotencyKey: `redemption:${code.id}`,
    });
    await this.store.redemptions.markCredited(code.id);
    const entry = found(await this.store.entries.find(wallet.id, outcome.entryId));
    return { entry, balance: outcome.balance };
  }

  #claim(caller: Caller, wallet: WalletRow, text: string) {
    return this.store.transaction(async (store) => {
      const code = await store.redemptions.claim(hashRedemptionCode(text), wallet.id, caller.id);
      if (!code) {
        throw refuse('not_found', 'redemption_code_over', { param: 'code' });
      }
      const after = { wallet_id: wallet.id };
      await recordChange(store, caller, { action: 'redemption_code.redeem', targetId: code.id, after });
      return code;
    });
  }

  async #findWallet(caller: Caller, id: string | undefined): Promise<WalletRow> {
    if (id === undefined) return this.defaultWallets.ensure(caller);
    const wallet = await this.store.wallets.find(caller.scope, id);
    if (wallet) return wallet;
    throw refuse('not_found', 'no_wallet', { param: 'wallet_id' });
  }
}
