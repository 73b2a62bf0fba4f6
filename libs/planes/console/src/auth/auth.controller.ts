import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller, CurrentOrigin, type Origin } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { AnyRole, Public } from '../http/route-access.js';
import {
  type LoginRequest,
  loginSchema,
  type RefreshRequest,
  refreshSchema,
  sessionSchema,
} from './auth-schemas.js';
import { SessionService } from './session-service.js';
import type { SessionAnswer } from './session-tokens.js';

@ApiTags('auth')
@Controller('api/v1/auth')
export class AuthController {
  constructor(private readonly sessions: SessionService) {}

  @Post('login')
  @Public()
  @ApiRoute({
    summary: 'Sign in; a device cookie exempts this browser from limits that others’ password guesses reach',
    answer: sessionSchema,
  })
  async login(
    @Body({ schema: loginSchema }) body: LoginRequest,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const { answer, deviceCookie } = await this.sessions.login(body, {
      origin,
      cookies: request.headers.cookie,
      isSecure: request.protocol === 'https',
    });
    void reply.header('set-cookie', deviceCookie);
    return answer;
  }

  @Post('refresh')
  @Public()
  @ApiRoute({
    summary: 'Renew a session; a refresh token is good once, and one used twice ends its session',
    answer: sessionSchema,
  })
  refresh(
    @Body({ schema: refreshSchema }) body: RefreshRequest,
    @CurrentOrigin() origin: Origin,
  ): Promise<SessionAnswer> {
    return this.sessions.refresh(body.refresh_token, origin);
  }

  @Post('logout')
  @AnyRole()
  @ApiRoute({ summary: 'End this session', status: 204 })
  logout(@CurrentCaller() caller: Caller): Promise<void> {
    return this.sessions.logout(caller);
  }
}
