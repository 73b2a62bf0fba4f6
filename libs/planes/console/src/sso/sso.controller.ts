import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionSchema } from '../auth/auth-schemas.js';
import type { SessionAnswer } from '../auth/session-tokens.js';
import { ApiRoute } from '../http/api-route.js';
import { CurrentOrigin, type Origin } from '../http/caller.js';
import { Public } from '../http/route-access.js';
import { type SsoExchange, ssoExchangeSchema, type SsoStart, ssoStartSchema } from './sso-schemas.js';
import { SsoService } from './sso-service.js';

@ApiTags('auth')
@Controller('api/v1/auth/sso')
export class SsoController {
  constructor(private readonly sso: SsoService) {}

  @Post('start')
  @Public()
  @ApiRoute({
    summary: 'Begin a single sign-on: where the browser goes, and a cookie that it comes back with',
    answer: ssoStartSchema,
  })
  async start(
    @CurrentOrigin() origin: Origin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SsoStart> {
    const { url, cookies } = await this.sso.start(origin);
    void reply.header('set-cookie', cookies);
    return { url };
  }

  @Get('callback')
  @Public()
  @ApiRoute({
    summary:
      'Where the issuer sends browsers back to; redirects to the page with a code, or the reason for none',
    status: 302,
  })
  async finish(
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const query = new URLSearchParams(request.url.split('?').slice(1).join('?'));
    const { url, cookies } = await this.sso.finish(query, request.headers.cookie, origin);
    void reply.header('set-cookie', cookies).header('location', url);
  }

  @Post('exchange')
  @Public()
  @ApiRoute({ summary: 'Open the session of a single sign-on; a code is good once', answer: sessionSchema })
  async exchange(
    @Body({ schema: ssoExchangeSchema }) { code }: SsoExchange,
    @CurrentOrigin() origin: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionAnswer> {
    const { answer, cookie } = await this.sso.open(code, request.headers.cookie, origin);
    void reply.header('set-cookie', cookie);
    return answer;
  }
}
