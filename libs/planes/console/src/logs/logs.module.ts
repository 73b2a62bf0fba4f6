import { Module } from '@nestjs/common';
import { LogExportController } from './log-export.controller.js';
import { LogReader } from './log-reader.js';
import { LogsController } from './logs.controller.js';
import { UsageController } from './usage.controller.js';
import { WasteController } from './waste.controller.js';

/** The request log, its export, usage by period, and what nobody paid for. */
@Module({
  controllers: [LogsController, LogExportController, UsageController, WasteController],
  providers: [LogReader],
})
export class LogsModule {}
