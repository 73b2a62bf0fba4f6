import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { TaskContentsController } from './task-contents.controller.js';
import { TasksController } from './tasks.controller.js';

/** Video tasks, and what they made. */
@Module({ imports: [AuthModule], controllers: [TasksController, TaskContentsController] })
export class TasksModule {}
