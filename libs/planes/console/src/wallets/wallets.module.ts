import { Module } from '@nestjs/common';
import { CreditLimits } from './credit-limits.js';
import { DefaultWallets } from './default-wallets.js';
import { WalletOpener } from './wallet-opener.js';
import { WalletsController } from './wallets.controller.js';

/** Wallets and their ledgers. */
@Module({
  controllers: [WalletsController],
  providers: [DefaultWallets, CreditLimits, WalletOpener],
  exports: [DefaultWallets],
})
export class WalletsModule {}
