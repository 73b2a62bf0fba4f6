import { newId, refuse, type WalletPort } from '@mg/contract';
import { ConsoleStore, type WalletRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import { CreditLimits } from './credit-limits.js';
import { InjectWalletPort } from './wallet-port.js';
import type { WalletCreate } from './wallet-schemas.js';
import { toWalletSettings } from './wallet-settings.js';
import { toWalletView } from './wallet-view.js';

/** Opens wallets beside those that users and projects have from the start. */
@Injectable()
export class WalletOpener {
  constructor(
    private readonly store: ConsoleStore,
    @InjectWalletPort() private readonly wallets: WalletPort,
    private readonly creditLimits: CreditLimits,
  ) {}

  /**
   * Opens an empty wallet, of a user or of the operator.
   *
   * @throws GatewayError `not_found` for an unknown user, `conflict` when the name is taken, `service_unavailable` when billing
   *   does not answer.
   */
  async open(caller: Caller, input: WalletCreate): Promise<WalletRow> {
    const { name, user_id: userId } = input;
    if (userId && !(await this.store.users.findById(userId))) {
      throw refuse('not_found', 'no_user', { param: 'user_id' });
    }
    const id = newId();
    const opening = { id, name, userId: userId ?? undefined, openingBalance: 0n };
    // Of two who ask for a name at once, one is answered with the other's wallet.
    const { walletId } = await this.wallets.openWallet(opening);
    if (walletId !== id) {
      throw refuse('conflict', 'wallet_name_taken', { param: 'name' });
    }
    await this.#configure(caller, id, input);
    if (input.credit_limit !== undefined) await this.creditLimits.set(caller, id, input.credit_limit);
    return found(await this.store.wallets.find(caller.scope, id));
  }

  async #configure(caller: Caller, id: string, input: WalletCreate): Promise<void> {
    await this.store.transaction(async (store) => {
      await store.wallets.update(id, toWalletSettings(input));
      const after = toWalletView(found(await store.wallets.find(caller.scope, id)));
      await recordChange(store, caller, { action: 'wallet.create', targetId: id, after });
    });
  }
}
