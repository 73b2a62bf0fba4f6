import { GatewayError } from '@mg/contract';
import type { Logger, RouteTable } from '@mg/runtime';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError, toGatewayError } from './render-error.js';

/** Nest's own failures, unknown routes and methods above all, in the same shape as every other error. */
@Catch()
export class GatewayExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    private readonly logger: Logger,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const notFound = exception instanceof HttpException && exception.getStatus() === 404;
    const error = notFound
      ? this.#explainMissing(request, reply)
      : toGatewayError(exception, request, this.logger);
    sendError(error, request, reply);
  }

  #explainMissing(request: FastifyRequest, reply: FastifyReply): GatewayError {
    const methods = this.routes.methodsOf(request.url);
    if (methods.length === 0) {
      return new GatewayError('not_found', `There is no endpoint ${request.method} ${pathOf(request.url)}.`);
    }
    reply.header('allow', methods.join(', '));
    const takes = methods.join(' and ');
    return new GatewayError('method_not_allowed', `This path takes ${takes}, not ${request.method}.`);
  }
}

function pathOf(url: string): string {
  return (url.split('?')[0] ?? '').slice(0, 256);
}
