import { Module } from '@nestjs/common';
import { SystemController } from './system.controller.js';

/** The state of the planes, and what waits. */
@Module({ controllers: [SystemController] })
export class SystemModule {}
