import { Module } from '@nestjs/common';
import { CatalogController } from './catalog.controller.js';
import { ModelService } from './model-service.js';
import { ModelsController } from './models.controller.js';

/** Models, the catalog that every user sees, and their prices. */
@Module({
  controllers: [ModelsController, CatalogController],
  providers: [ModelService],
})
export class ModelsModule {}
