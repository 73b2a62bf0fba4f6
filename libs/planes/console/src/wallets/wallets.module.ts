import { Module } from '@nestjs/common';
import { DefaultWallets } from './default-wallets.js';
import { WalletsController } from './wallets.controller.js';

/** Wallets and their ledgers. */
@Module({
  controllers: [WalletsController],
  providers: [DefaultWallets],
  exports: [DefaultWallets],
})
export class WalletsModule {}
