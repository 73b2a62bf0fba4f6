import { Module } from '@nestjs/common';
import { LedgerController } from './ledger.controller.js';

/** The ledger of wallets, and its export. */
@Module({ controllers: [LedgerController] })
export class LedgerModule {}
