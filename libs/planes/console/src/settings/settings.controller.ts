import type { Environment } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence/console';
import { PRODUCT_VERSION } from '@mg/runtime';
import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ENVIRONMENT } from '../health/health.controller.js';
import { ApiRoute } from '../http/api-route.js';
import { Public, Roles } from '../http/route-access.js';
import { findGatewayUrl } from '../page/find-gateway-url.js';
import { SsoIssuer } from '../sso/sso-issuer.js';
import { publicSettingsSchema, settingsSchema } from './setting-schemas.js';
import { showSettings } from './show-settings.js';

@ApiTags('settings')
@Controller('api/v1/settings')
export class SettingsController {
  #wasUsed = false;

  constructor(
    private readonly store: ConsoleStore,
    private readonly sso: SsoIssuer,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({ summary: 'Settings in force, without secrets', answer: settingsSchema })
  show(): z.output<typeof settingsSchema> {
    return {
      version: PRODUCT_VERSION,
      node_version: process.versions.node,
      settings: showSettings(this.environment),
    };
  }

  @Get('public')
  @Public()
  @ApiRoute({
    summary: 'What a page needs before anybody is signed in',
    answer: publicSettingsSchema,
  })
  async showPublic(@Req() request: FastifyRequest): Promise<z.output<typeof publicSettingsSchema>> {
    this.#wasUsed ||= (await this.store.audit.hasChanges()) || (await this.store.logs.hasAny());
    return {
      version: PRODUCT_VERSION,
      gateway_url: findGatewayUrl(this.environment, request.hostname),
      first_run: !this.#wasUsed,
      sso: this.sso.settings !== undefined,
    };
  }
}
