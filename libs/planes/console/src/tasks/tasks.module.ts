import { Module } from '@nestjs/common';
import { TasksController } from './tasks.controller.js';

/** Video tasks. */
@Module({ controllers: [TasksController] })
export class TasksModule {}
