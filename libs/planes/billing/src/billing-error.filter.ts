import { GatewayError } from '@mg/contract';
import type { Logger } from '@mg/runtime';
import { Catch, Inject, type RpcExceptionFilter } from '@nestjs/common';
import { RpcException } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import { reasonOf } from './reason-of.js';

export const BILLING_LOGGER = Symbol('BillingLogger');

/** Every failure leaves with a code of the error table: the asker's own fault as it is, anything else as a passing one. */
@Catch()
export class BillingErrorFilter implements RpcExceptionFilter {
  constructor(@Inject(BILLING_LOGGER) private readonly logger: Logger) {}

  catch(error: unknown): Observable<never> {
    if (error instanceof GatewayError) {
      return throwError(() =>
        new RpcException({
          code: error.code,
          message: error.message,
          ...(error.param !== undefined && { param: error.param }),
        }).getError(),
      );
    }
    this.logger.warn({ reason: reasonOf(error) }, 'a question could not be answered');
    return throwError(() =>
      new RpcException({
        code: 'service_unavailable',
        message: 'Billing cannot answer at the moment; try again shortly.',
      }).getError(),
    );
  }
}
