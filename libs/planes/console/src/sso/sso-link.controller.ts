import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { AnyRole } from '../http/route-access.js';
import { type SsoLink, ssoLinkSchema, type SsoStart, ssoStartSchema, ssoStateSchema } from './sso-schemas.js';
import { SsoService } from './sso-service.js';

@ApiTags('me')
@Controller('api/v1/me/sso')
export class SsoLinkController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly sso: SsoService,
  ) {}

  @Get()
  @AnyRole()
  @ApiRoute({ summary: 'Whether the caller may sign in by single sign-on', answer: ssoStateSchema })
  async show(@CurrentCaller() caller: Caller): Promise<z.output<typeof ssoStateSchema>> {
    return { linked: await this.store.sso.isLinked(caller.id) };
  }

  @Post()
  @AnyRole()
  @ApiRoute({
    summary: 'Begin to link the caller to who they are at the issuer; it goes on as a single sign-on does',
    answer: ssoStartSchema,
  })
  async link(
    @CurrentCaller() caller: Caller,
    @Body({ schema: ssoLinkSchema }) body: SsoLink,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SsoStart> {
    const { url, cookies } = await this.sso.startLink(caller, body.current_password, body.code);
    void reply.header('set-cookie', cookies);
    return { url };
  }
}
