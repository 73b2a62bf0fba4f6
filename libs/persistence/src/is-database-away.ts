import { GatewayError } from '@mg/contract';
import { QueryFailedError } from 'typeorm';

/** Codes of the network, and of Postgres for connections that it ends or does not take (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
const AWAY = /^(ECONN|EPIPE$|EHOST|ENET|ENOTFOUND$|EAI_AGAIN$|ETIMEDOUT$|08|57P0[123]$|53300$)/;
/** What the driver says without a code. */
const AWAY_MESSAGE = /^Connection terminated|^timeout exceeded when trying to connect$/;

/** Whether a query failed because Postgres could not be reached, and not for what it asked. */
export function isDatabaseAway(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (!(cause instanceof Error)) return false;
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? AWAY.test(code) : AWAY_MESSAGE.test(cause.message);
}

/** What callers are told then: `service_unavailable`, worth another try after a second. */
export function explainDatabaseAway(): GatewayError {
  return new GatewayError('service_unavailable', 'The database cannot be reached at the moment; try again.', {
    retryAfter: 1,
  });
}
