import type { Environment } from '@mg/contract';
import { GatewayError } from '@mg/contract';
import { metricsStatus, Registry, writeMetrics } from '@mg/runtime';
import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/route-access.js';
import { Readiness } from './readiness.js';

export const ENVIRONMENT = Symbol('Environment');

/** Signs of life for orchestrators and collectors; no session. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Registry,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('healthz')
  @Public()
  showHealth(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  async showReadiness(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const obstacle = await this.readiness.findObstacle();
    if (obstacle === undefined) return { status: 'ready' };
    void reply.status(503);
    return { status: 'unready', detail: obstacle };
  }

  @Get('metrics')
  @Public()
  async showMetrics(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const status = metricsStatus(this.environment, authorization);
    if (status === 404) throw new GatewayError('not_found', 'Metrics are not enabled.');
    if (status === 401) throw new GatewayError('unauthenticated', 'The metrics token is missing or wrong.');
    void reply.header('content-type', this.metrics.contentType);
    return writeMetrics(this.metrics);
  }
}
