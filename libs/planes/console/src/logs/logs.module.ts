import { Module } from '@nestjs/common';
import { LogExportController } from './log-export.controller.js';
import { LogReader } from './log-reader.js';
import { LogsController } from './logs.controller.js';
import { UsageController } from './usage.controller.js';

/** The request log, its export, and usage by period. */
@Module({
  controllers: [LogsController, LogExportController, UsageController],
  providers: [LogReader],
})
export class LogsModule {}
