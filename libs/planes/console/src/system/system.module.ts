import { Module } from '@nestjs/common';
import { AttemptsController } from './attempts.controller.js';
import { SystemController } from './system.controller.js';

/** The state of the planes, and what waits. */
@Module({ controllers: [SystemController, AttemptsController] })
export class SystemModule {}
