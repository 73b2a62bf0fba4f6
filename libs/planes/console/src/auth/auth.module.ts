import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthController } from './auth.controller.js';
import { CallerFinder } from './caller-finder.js';
import { LoginLimits } from './login-limits.js';
import { MeController } from './me.controller.js';
import { SecondFactor } from './second-factor.js';
import { SessionGuard } from './session-guard.js';
import { SessionListsController } from './session-lists.controller.js';
import { SessionService } from './session-service.js';
import { TotpController } from './totp.controller.js';
import { TotpService } from './totp-service.js';

/** Sessions, and the guard before every route of every module. */
@Module({
  controllers: [AuthController, MeController, SessionListsController, TotpController],
  providers: [
    { provide: APP_GUARD, useClass: SessionGuard },
    CallerFinder,
    LoginLimits,
    SecondFactor,
    SessionService,
    TotpService,
  ],
  exports: [CallerFinder, LoginLimits, SessionService],
})
export class AuthModule {}
