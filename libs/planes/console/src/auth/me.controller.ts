import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { AnyRole } from '../http/route-access.js';
import { type PasswordChange, passwordChangeSchema, sessionSchema, userSchema } from './auth-schemas.js';
import { SessionService } from './session-service.js';
import type { SessionAnswer } from './session-tokens.js';
import { toUserView, type UserView } from './user-view.js';

@ApiTags('me')
@Controller('api/v1/me')
export class MeController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly sessions: SessionService,
  ) {}

  @Get()
  @AnyRole()
  @ApiRoute({ summary: 'The caller', answer: userSchema })
  async show(@CurrentCaller() caller: Caller): Promise<UserView> {
    return toUserView(found(await this.store.users.findById(caller.id)));
  }

  @Post('password')
  @AnyRole()
  @ApiRoute({
    summary: 'Change the password; ends every session and opens a new one',
    answer: sessionSchema,
  })
  changePassword(
    @CurrentCaller() caller: Caller,
    @Body({ schema: passwordChangeSchema }) body: PasswordChange,
  ): Promise<SessionAnswer> {
    return this.sessions.changePassword(caller, body.current_password, body.new_password);
  }
}
