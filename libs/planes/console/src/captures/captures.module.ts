import { Module } from '@nestjs/common';
import { CapturesController } from './captures.controller.js';

/** Bodies of calls of tokens that are set to it. */
@Module({ controllers: [CapturesController] })
export class CapturesModule {}
