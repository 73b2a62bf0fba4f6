import type { JournalLedger, TaskLedger, UsageLedger, WalletLedger } from '@mg/persistence';
import type { Logger } from '@mg/runtime';
import { type DynamicModule, Module } from '@nestjs/common';
import { BILLING_LOGGER, BillingErrorFilter } from './billing-error.filter.js';
import type { BillingMetrics } from './billing-metrics.js';
import { BillingController } from './billing.controller.js';
import { DriftChecker } from './drift-checker.js';
import { HoldDesk } from './hold-desk.js';
import { JournalPoster } from './journal-poster.js';
import { Sweeper } from './sweeper.js';
import { TaskDesk } from './task-desk.js';
import { UsageFolder } from './usage-folder.js';
import { WALLET_LEDGER } from './wallet-ledger-token.js';

export interface BillingParts {
  readonly ledger: WalletLedger;
  readonly tasks: TaskLedger;
  readonly journal: JournalLedger;
  readonly usage: UsageLedger;
  readonly metrics: BillingMetrics;
  readonly logger: Logger;
  /** Whether heartbeats of other processes can arrive at this moment. */
  readonly canHear: () => boolean;
}

@Module({})
export class BillingModule {
  static with(parts: BillingParts): DynamicModule {
    const { ledger, tasks, journal, usage, metrics, logger, canHear } = parts;
    const poster = new JournalPoster(journal, metrics, logger);
    return {
      module: BillingModule,
      controllers: [BillingController],
      providers: [
        { provide: WALLET_LEDGER, useValue: ledger },
        { provide: BILLING_LOGGER, useValue: logger },
        { provide: JournalPoster, useValue: poster },
        { provide: HoldDesk, useValue: new HoldDesk(ledger, poster, metrics, logger) },
        { provide: TaskDesk, useValue: new TaskDesk(tasks, poster, metrics, logger) },
        { provide: Sweeper, useValue: new Sweeper(ledger, tasks, poster, metrics, logger, canHear) },
        { provide: UsageFolder, useValue: new UsageFolder(usage, logger) },
        { provide: DriftChecker, useValue: new DriftChecker(ledger, metrics, logger) },
        BillingErrorFilter,
      ],
    };
  }
}
