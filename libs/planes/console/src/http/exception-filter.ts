import { type ErrorCode, GatewayError } from '@mg/contract';
import { databaseUnavailableError, isDatabaseUnavailable } from '@mg/persistence/console';
import type { Logger, RouteTable } from '@mg/runtime';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'request_too_large',
  415: 'unsupported_media_type',
  503: 'service_unavailable',
};

const MESSAGE_BY_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  request_too_large: 'The body is larger than this route takes.',
  unsupported_media_type: 'The body must be sent as application/json.',
  service_unavailable: 'The console cannot answer just now; try again.',
};

/** Answers every failure in the one shape of `{detail: {code, message, request_id, type, param?}}`. */
@Catch()
export class ExceptionAnswer implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    private readonly logger: Logger,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = this.#explain(exception, request);
    this.#log(exception, error, request);
    if (error.code === 'method_not_allowed') {
      void reply.header('allow', this.routes.methodsOf(request.url).join(', '));
    }
    if (error.retryAfter !== undefined) void reply.header('retry-after', String(error.retryAfter));
    void reply.status(error.status).send({ detail: error.toDetail(request.id) });
  }

  /** A failure that we can explain is a line; one that we cannot is a fault, with its stack. */
  #log(exception: unknown, error: GatewayError, request: FastifyRequest): void {
    if (error.status < 500) return;
    const facts = { request_id: request.id, route: request.routeOptions.url };
    if (error.code === 'internal_error') this.logger.error({ ...facts, err: exception }, error.message);
    else this.logger.warn({ ...facts, code: error.code }, error.message);
  }

  #explain(exception: unknown, request: FastifyRequest): GatewayError {
    if (exception instanceof GatewayError) return exception;
    if (isDatabaseUnavailable(exception)) return databaseUnavailableError();
    const status = readStatus(exception);
    if (status === 404) return this.#explainMissingRoute(request);
    if (status === undefined || (status >= 500 && status !== 503)) {
      return new GatewayError('internal_error', 'Something went wrong on our side.');
    }
    const code = CODE_BY_STATUS[status] ?? 'invalid_request';
    return new GatewayError(code, MESSAGE_BY_CODE[code] ?? explainBadRequest(exception));
  }

  #explainMissingRoute(request: FastifyRequest): GatewayError {
    const methods = this.routes.methodsOf(request.url);
    if (methods.length === 0) return new GatewayError('not_found', 'There is no such route.');
    return new GatewayError('method_not_allowed', `This route takes ${methods.join(', ')} only.`);
  }
}

/** The client's own mistake as the HTTP layer words it; never the body itself. */
function explainBadRequest(exception: unknown): string {
  const message = exception instanceof Error ? exception.message : '';
  if (/JSON/i.test(message)) return 'The body is not valid JSON.';
  return message === '' ? 'The request is not valid.' : `The request is not valid: ${message}.`;
}

function readStatus(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  const status = (exception as { statusCode?: unknown } | undefined)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}
