import { GatewayError, omitUndefined } from '@mg/contract';
import { errorMessage, type Logger } from '@mg/runtime';
import { Catch, Inject, type RpcExceptionFilter } from '@nestjs/common';
import { RpcException } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import { LOGGER } from './logger-token.js';

/** Every failure leaves with a code of the error table: the asker's own fault as it is, anything else as a passing one. */
@Catch()
export class BillingErrorFilter implements RpcExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown): Observable<never> {
    if (error instanceof GatewayError) {
      return throwError(() =>
        new RpcException(
          omitUndefined({ code: error.code, message: error.message, param: error.param }),
        ).getError(),
      );
    }
    this.logger.warn({ reason: errorMessage(error) }, 'a request could not be served');
    return throwError(() =>
      new RpcException({
        code: 'service_unavailable',
        message: 'Billing cannot answer at the moment; try again shortly.',
      }).getError(),
    );
  }
}
