import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Caller, CurrentCaller, CurrentOrigin, type Origin } from '../http/caller.js';
import { DescribeRoute } from '../http/describe-route.js';
import { AnyRole, Public } from '../http/route-access.js';
import { ZodPipe } from '../http/zod-pipe.js';
import { loginSchema, refreshSchema, sessionSchema } from './auth-schemas.js';
import { SessionService } from './session-service.js';
import type { SessionAnswer } from './session-tokens.js';

@ApiTags('auth')
@Controller('api/v1/auth')
export class AuthController {
  constructor(private readonly sessions: SessionService) {}

  @Post('login')
  @HttpCode(200)
  @Public()
  @DescribeRoute({
    summary: 'Sign in; a cookie lets this browser in from then on whoever guesses at the password elsewhere',
    body: loginSchema,
    answer: sessionSchema,
    isPublic: true,
  })
  async login(
    @Body(new ZodPipe(loginSchema)) body: z.output<typeof loginSchema>,
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
  @HttpCode(200)
  @Public()
  @DescribeRoute({
    summary: 'Renew a session; a refresh token is good once, and one used twice ends its session',
    body: refreshSchema,
    answer: sessionSchema,
    isPublic: true,
  })
  refresh(
    @Body(new ZodPipe(refreshSchema)) body: z.output<typeof refreshSchema>,
    @CurrentOrigin() origin: Origin,
  ): Promise<SessionAnswer> {
    return this.sessions.refresh(body.refresh_token, origin);
  }

  @Post('logout')
  @HttpCode(204)
  @AnyRole()
  @DescribeRoute({ summary: 'End this session', status: 204 })
  logout(@CurrentCaller() caller: Caller): Promise<void> {
    return this.sessions.logout(caller);
  }
}
