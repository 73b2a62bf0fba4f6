import { formatUsd, parseUsd, type WalletPort } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { InjectWalletPort } from './wallet-port.js';

/** How far wallets may go below zero, which is billing's to write. */
@Injectable()
export class CreditLimits {
  constructor(
    private readonly store: ConsoleStore,
    @InjectWalletPort() private readonly wallets: WalletPort,
  ) {}

  /**
   * @param amount USD, 0 or more.
   * @throws GatewayError `service_unavailable` when billing does not answer.
   */
  async set(caller: Caller, walletId: string, amount: string): Promise<void> {
    const creditLimit = parseUsd(amount);
    const earlier = await this.wallets.limitCredit({ walletId, creditLimit });
    await recordChange(this.store, caller, {
      action: 'wallet.update',
      targetId: walletId,
      before: { credit_limit: formatUsd(earlier) },
      after: { credit_limit: formatUsd(creditLimit) },
    });
  }
}
