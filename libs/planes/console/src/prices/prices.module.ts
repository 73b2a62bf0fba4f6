import { Module } from '@nestjs/common';
import { PriceImportService } from './price-import-service.js';
import { PriceImportController } from './price-import.controller.js';

/** Price files: read, compared, applied. */
@Module({
  controllers: [PriceImportController],
  providers: [PriceImportService],
})
export class PricesModule {}
