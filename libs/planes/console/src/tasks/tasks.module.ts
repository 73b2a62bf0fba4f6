import { Module } from '@nestjs/common';
import { TaskContentsController } from './task-contents.controller.js';
import { TasksController } from './tasks.controller.js';

/** Video tasks, and what they made. */
@Module({ controllers: [TasksController, TaskContentsController] })
export class TasksModule {}
