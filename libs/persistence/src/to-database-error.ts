import { GatewayError } from '@mg/contract';
import { QueryFailedError } from 'typeorm';

/** Codes of the network, and of Postgres for connections that it ends or does not take (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
const UNAVAILABLE = /^(ECONN|EPIPE$|EHOST|ENET|ENOTFOUND$|EAI_AGAIN$|ETIMEDOUT$|08|57P0[123]$|53300$)/;
/** A lock that was not had in `lock_timeout`, a statement that was ended by `statement_timeout`. */
const OVERDUE: ReadonlySet<unknown> = new Set(['55P03', '57014']);
/** Messages of driver errors without a code. */
const UNAVAILABLE_MESSAGE = /^Connection terminated|^timeout exceeded when trying to connect$/;
/** Those of pg and pg-pool for a connection that was not made in time. */
const TIMEOUT_MESSAGE =
  /^Connection terminated due to connection timeout|^timeout exceeded when trying to connect$/;

/**
 * The error for callers whose query failed because Postgres could not be reached or took too long: `service_unavailable`, to
 * be retried after a second. `undefined` where the query was wrong.
 */
export function toDatabaseError(error: unknown): GatewayError | undefined {
  const cause = readDriverError(error);
  if (!(cause instanceof Error)) return undefined;
  const { code } = cause as { code?: unknown };
  if (OVERDUE.has(code)) return tryAgain('The database takes too long at the moment; try again.');
  const isAway = typeof code === 'string' ? UNAVAILABLE.test(code) : UNAVAILABLE_MESSAGE.test(cause.message);
  return isAway ? tryAgain('The database cannot be reached at the moment; try again.') : undefined;
}

/** Whether a connection to Postgres was not made in time. */
export function isConnectTimeout(error: unknown): boolean {
  const cause = readDriverError(error);
  return cause instanceof Error && TIMEOUT_MESSAGE.test(cause.message);
}

function readDriverError(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

function tryAgain(message: string): GatewayError {
  return new GatewayError('service_unavailable', message, { retryAfter: 1 });
}
