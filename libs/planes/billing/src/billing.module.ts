import {
  BudgetLedger,
  JournalLedger,
  LeaseLedger,
  LedgerCheck,
  Retention,
  TaskLedger,
  UsageRollups,
  ProcessLedger,
  WalletLedger,
  WasteLedger,
} from '@mg/persistence/billing';
import type { Logger, Registry } from '@mg/runtime';
import { RedisRpcServer } from '@mg/transport';
import { type DynamicModule, Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { BillingErrorFilter } from './billing-error.filter.js';
import { BillingMetrics } from './billing-metrics.js';
import { BillingController } from './billing.controller.js';
import { BudgetWatch } from './budget-watch.js';
import { DriftChecker } from './drift-checker.js';
import { HoldService } from './hold-service.js';
import { JournalPoster } from './journal-poster.js';
import { LeaseService } from './lease-service.js';
import { LOGGER } from './logger-token.js';
import { RETENTION_DAYS, type RetentionDays, RetentionWorker } from './retention-worker.js';
import { Sweeper } from './sweeper.js';
import { TaskService } from './task-service.js';
import { UsageAggregator } from './usage-aggregator.js';

/** What the plane opens before Nest wires the rest. */
export interface BillingConnections {
  readonly database: DataSource;
  readonly requests: RedisRpcServer;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly retention: RetentionDays;
}

@Module({})
export class BillingModule {
  static over({ database, requests, metrics, logger, retention }: BillingConnections): DynamicModule {
    return {
      module: BillingModule,
      controllers: [BillingController],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: RedisRpcServer, useValue: requests },
        { provide: BillingMetrics, useFactory: () => new BillingMetrics(metrics) },
        { provide: WalletLedger, useFactory: () => new WalletLedger(database) },
        { provide: ProcessLedger, useFactory: () => new ProcessLedger(database) },
        { provide: WasteLedger, useFactory: () => new WasteLedger(database) },
        { provide: TaskLedger, useFactory: () => new TaskLedger(database) },
        {
          provide: JournalLedger,
          inject: [WasteLedger],
          useFactory: (waste: WasteLedger) => new JournalLedger(database, waste),
        },
        { provide: BudgetLedger, useFactory: () => new BudgetLedger(database) },
        { provide: LeaseLedger, useFactory: () => new LeaseLedger(database) },
        { provide: LedgerCheck, useFactory: () => new LedgerCheck(database) },
        { provide: Retention, useFactory: () => new Retention(database) },
        { provide: RETENTION_DAYS, useValue: retention },
        { provide: UsageRollups, useFactory: () => new UsageRollups(database) },
        BillingErrorFilter,
        BudgetWatch,
        DriftChecker,
        HoldService,
        JournalPoster,
        LeaseService,
        RetentionWorker,
        Sweeper,
        TaskService,
        UsageAggregator,
      ],
    };
  }
}
