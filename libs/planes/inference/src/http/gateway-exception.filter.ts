import { GatewayError } from '@mg/contract';
import type { Logger } from '@mg/runtime';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError, toGatewayError } from './render-error.js';

/** Nest's own failures, unknown routes above all, in the same shape as every other error. */
@Catch()
export class GatewayExceptionFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const notFound = exception instanceof HttpException && exception.getStatus() === 404;
    const error = notFound
      ? new GatewayError('not_found', `There is no endpoint ${request.method} ${pathOf(request.url)}.`)
      : toGatewayError(exception, request, this.logger);
    sendError(error, request, http.getResponse<FastifyReply>());
  }
}

function pathOf(url: string): string {
  return (url.split('?')[0] ?? '').slice(0, 256);
}
