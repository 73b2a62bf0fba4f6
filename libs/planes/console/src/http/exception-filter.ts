import { type ErrorCode, GatewayError, type RefusalReason, refuse } from '@mg/contract';
import { toDatabaseError } from '@mg/persistence/console';
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

const REASON_BY_CODE: Readonly<Partial<Record<ErrorCode, RefusalReason>>> = {
  request_too_large: 'body_too_large',
  unsupported_media_type: 'body_not_json',
  service_unavailable: 'not_just_now',
};

/** Answers every failure in the one shape of `{detail: {code, message, request_id, type, param?, reason?, values?}}`. */
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
    const databaseError = toDatabaseError(exception);
    if (databaseError) return withReason(databaseError);
    const status = readStatus(exception);
    if (status === 404) return this.#explainMissingRoute(request);
    if (status === undefined || (status >= 500 && status !== 503)) {
      return refuse('internal_error', 'our_fault');
    }
    const code = CODE_BY_STATUS[status] ?? 'invalid_request';
    const reason = REASON_BY_CODE[code];
    return reason ? refuse(code, reason) : refuseBadRequest(code, exception);
  }

  #explainMissingRoute(request: FastifyRequest): GatewayError {
    const methods = this.routes.methodsOf(request.url);
    if (methods.length === 0) return refuse('not_found', 'no_route');
    return refuse('method_not_allowed', 'other_methods', { values: [methods.join(', ')] });
  }
}

function withReason({ code, message, retryAfter }: GatewayError): GatewayError {
  return new GatewayError(code, message, { retryAfter, reason: 'not_just_now' });
}

/** The client's own mistake as the HTTP layer words it; never the body itself. */
function refuseBadRequest(code: ErrorCode, exception: unknown): GatewayError {
  const message = exception instanceof Error ? exception.message : '';
  if (/JSON/i.test(message)) return refuse(code, 'body_unreadable');
  const rest = message === '' ? '' : `: ${message}`;
  return new GatewayError(code, `The request is not valid${rest}.`);
}

function readStatus(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  const status = (exception as { statusCode?: unknown } | undefined)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}
