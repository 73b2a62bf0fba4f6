import { GatewayError, type Environment } from '@mg/contract';
import { metricsStatus, type MetricsSource } from '@mg/runtime';
import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

export const HEALTH_OPTIONS = Symbol('HEALTH_OPTIONS');

export interface HealthOptions {
  readonly environment: Environment;
  readonly metrics: MetricsSource;
  /** Why the plane cannot serve now, or `undefined` when it can. */
  readonly unready: () => string | undefined;
}

/** Whether the process is alive, whether it can serve, and its metrics. None of it wants an API key. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(@Inject(HEALTH_OPTIONS) private readonly options: HealthOptions) {}

  @Get('healthz')
  healthz(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  readyz(@Res() reply: FastifyReply): void {
    const reason = this.options.unready();
    if (reason === undefined) reply.send({ status: 'ready' });
    else reply.code(503).send({ status: 'unready', detail: reason });
  }

  /** Specification, endpoint 1: 404 unless METRICS_ENABLED, 401 for a wrong METRICS_TOKEN. */
  @Get('metrics')
  async metrics(
    @Headers('authorization') authorization: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const status = metricsStatus(this.options.environment, authorization);
    if (status === 404) throw new GatewayError('not_found', 'Metrics are not enabled.');
    if (status === 401) throw new GatewayError('unauthenticated', 'The metrics token is not valid.');
    const text = await this.options.metrics.metrics().catch((cause: unknown) => {
      throw new GatewayError('service_unavailable', 'Metrics cannot be read now.', { cause });
    });
    reply.header('content-type', this.options.metrics.contentType).send(text);
  }
}
