import { newId, refuse, type WalletPort } from '@mg/contract';
import { ConsoleStore, type UserRow, type WalletRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { InjectWalletPort } from './wallet-port.js';

/**
 * The user's first wallet, opened by billing under their e-mail address when there is none yet; asking twice opens one.
 *
 * @throws GatewayError `service_unavailable` when billing does not answer; `conflict` when the name is another's wallet.
 */
export async function ensureDefaultWallet(
  store: ConsoleStore,
  port: WalletPort,
  user: Pick<UserRow, 'id' | 'email'>,
): Promise<WalletRow> {
  const existing = await store.wallets.findDefault(user.id);
  if (existing) return existing;
  await port.openWallet({ id: newId(), name: user.email, userId: user.id, openingBalance: 0n });
  const opened = await store.wallets.findDefault(user.id);
  if (opened) return opened;
  throw refuse('conflict', 'wallet_of_another_user', { values: [user.email] });
}

/** Every user has a wallet of their own. */
@Injectable()
export class DefaultWallets {
  constructor(
    private readonly store: ConsoleStore,
    @InjectWalletPort() private readonly wallets: WalletPort,
  ) {}

  /** @throws GatewayError `service_unavailable` when billing does not answer. */
  ensure(user: Pick<UserRow, 'id' | 'email'>): Promise<WalletRow> {
    return ensureDefaultWallet(this.store, this.wallets, user);
  }
}
