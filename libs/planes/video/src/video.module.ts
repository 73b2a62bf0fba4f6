import { TASK_QUEUE } from '@mg/transport';
import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { TaskProcessor } from './task-processor.js';
import { WORKER_CONTEXT, type WorkerContext } from './worker-context.js';

const KEEP_COMPLETED = 100;
const KEEP_FAILED = 1_000;

@Module({})
export class VideoModule {
  static with(worker: WorkerContext): DynamicModule {
    return {
      module: VideoModule,
      imports: [
        BullModule.forRoot({
          // A worker waits for jobs in a command that must never time out.
          connection: { url: worker.redis.redisUrl, maxRetriesPerRequest: null },
          prefix: worker.redis.prefix,
          defaultJobOptions: { removeOnComplete: KEEP_COMPLETED, removeOnFail: KEEP_FAILED },
        }),
        BullModule.registerQueue({ name: TASK_QUEUE }),
      ],
      providers: [{ provide: WORKER_CONTEXT, useValue: worker }, TaskProcessor],
    };
  }
}
