import { Pool } from 'undici';
import { Connector, type ConnectorOptions } from './connector.js';

/** Idle connections are closed before most upstreams close theirs; what an upstream says in `Keep-Alive` comes first. */
const KEEP_ALIVE_MS = 10_000;
const MAX_REQUESTS_PER_SOCKET = 1_000;
/** Calls beyond that wait for a connection. */
const MAX_CONNECTIONS = 4_096;
/** A connection is not used for new calls when it is this old, so that a name that leads elsewhere now is followed. */
const MAX_AGE_MS = 60_000;

export interface PoolOptions extends ConnectorOptions {
  readonly maxAgeMs?: number | undefined;
}

/** The connections to one origin: docs/decisions/0025-upstream-connections.md. */
export function createPool(origin: string, { maxAgeMs = MAX_AGE_MS, ...options }: PoolOptions): Pool {
  const connector = new Connector(options);
  return new Pool(origin, {
    connect: connector.connect,
    connections: MAX_CONNECTIONS,
    clientTtl: maxAgeMs,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxRequestsPerClient: MAX_REQUESTS_PER_SOCKET,
  });
}
