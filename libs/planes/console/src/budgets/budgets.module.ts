import { Module } from '@nestjs/common';
import { BudgetsController } from './budgets.controller.js';

/** What is spent of budgets. */
@Module({ controllers: [BudgetsController] })
export class BudgetsModule {}
