import type { Environment } from '@mg/contract';
import type { WorkerRole } from '@mg/runtime';
import { nameInstance } from './name-instance.js';

/** Room for the largest body, twice, since one API key may hold half. */
const LEAST_BODY_BUDGET_MB = 192;
const LEAST_SPOOL_BUDGET_MB = 64;
/** Connections to Postgres of a gateway that is one process. */
const CONNECTIONS = 10;
/** Fewer would make calls wait for the journal. */
const LEAST_CONNECTIONS = 4;

/** The environment of one of several workers: a name of its own among owners of holds, and its share of what is bounded. */
export function shareEnvironment(
  environment: Environment,
  { number, of }: Pick<WorkerRole, 'number' | 'of'>,
): Environment {
  const share = (total: number, least: number) => Math.max(least, Math.floor(total / of));
  return Object.freeze({
    ...environment,
    // The same for whoever replaces a worker: its first heartbeat proves the one before dead.
    INSTANCE_ID: `${nameInstance(environment)}/${number}`,
    BODY_BUDGET_MB: share(environment.BODY_BUDGET_MB, LEAST_BODY_BUDGET_MB),
    SPOOL_BUDGET_MB: share(environment.SPOOL_BUDGET_MB, LEAST_SPOOL_BUDGET_MB),
  });
}

/** How many connections to Postgres one of so many workers keeps at most, besides the two that follow changes. */
export function shareConnections(of: number): number {
  return Math.max(LEAST_CONNECTIONS, Math.ceil(CONNECTIONS / of));
}
