import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthController } from './auth.controller.js';
import { LoginLimits } from './login-limits.js';
import { MeController } from './me.controller.js';
import { SessionGuard } from './session-guard.js';
import { SessionListsController } from './session-lists.controller.js';
import { SessionService } from './session-service.js';

/** Sessions, and the guard before every route of every module. */
@Module({
  controllers: [AuthController, MeController, SessionListsController],
  providers: [{ provide: APP_GUARD, useClass: SessionGuard }, LoginLimits, SessionService],
  exports: [LoginLimits],
})
export class AuthModule {}
