import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { TASK_QUEUE } from './task-queue.js';
import { VIDEO_WORK, type VideoWork } from './video-work.js';
import { WakeProcessor } from './wake-processor.js';

const KEEP_COMPLETED = 100;
const KEEP_FAILED = 1_000;

@Module({})
export class VideoModule {
  static with(redisUrl: string, work: VideoWork): DynamicModule {
    return {
      module: VideoModule,
      imports: [
        BullModule.forRoot({
          // A worker waits for jobs in a command that must never time out.
          connection: { url: redisUrl, maxRetriesPerRequest: null },
          defaultJobOptions: { removeOnComplete: KEEP_COMPLETED, removeOnFail: KEEP_FAILED },
        }),
        BullModule.registerQueue({ name: TASK_QUEUE }),
      ],
      providers: [{ provide: VIDEO_WORK, useValue: work }, WakeProcessor],
    };
  }
}
