import { GatewayError } from '@mg/contract';
import { QueryFailedError } from 'typeorm';

/** Codes of the network, and of Postgres for connections that it ends or does not take (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
const UNAVAILABLE = /^(ECONN|EPIPE$|EHOST|ENET|ENOTFOUND$|EAI_AGAIN$|ETIMEDOUT$|08|57P0[123]$|53300$)/;
/** Messages of driver errors without a code. */
const UNAVAILABLE_MESSAGE = /^Connection terminated|^timeout exceeded when trying to connect$/;
/** Those of pg and pg-pool for a connection that was not made in time. */
const TIMEOUT_MESSAGE =
  /^Connection terminated due to connection timeout|^timeout exceeded when trying to connect$/;

/** Whether a query failed because Postgres could not be reached, and not because the query was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = readDriverError(error);
  if (!(cause instanceof Error)) return false;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? UNAVAILABLE.test(code) : UNAVAILABLE_MESSAGE.test(cause.message);
}

/** Whether a connection to Postgres was not made in time. */
export function isConnectTimeout(error: unknown): boolean {
  const cause = readDriverError(error);
  return cause instanceof Error && TIMEOUT_MESSAGE.test(cause.message);
}

function readDriverError(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

/** The error for callers: `service_unavailable`, to be retried after a second. */
export function databaseUnavailableError(): GatewayError {
  return new GatewayError('service_unavailable', 'The database cannot be reached at the moment; try again.', {
    retryAfter: 1,
  });
}
