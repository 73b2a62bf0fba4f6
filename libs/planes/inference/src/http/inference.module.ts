import { type DynamicModule, Module } from '@nestjs/common';
import { HEALTH_OPTIONS, HealthController, type HealthOptions } from '../edge/health.controller.js';

/** Nest's part of the gateway plane: health and metrics. The endpoints for callers are plain Fastify routes beside it. */
@Module({})
export class InferenceModule {
  static with(health: HealthOptions): DynamicModule {
    return {
      module: InferenceModule,
      controllers: [HealthController],
      providers: [{ provide: HEALTH_OPTIONS, useValue: health }],
    };
  }
}
