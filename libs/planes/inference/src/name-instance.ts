import { hostname } from 'node:os';
import type { Environment } from '@mg/contract';

/** Name of a gateway's process, kept over restarts: a new epoch of it proves to billing that the earlier process is dead. */
export function nameInstance(environment: Pick<Environment, 'INSTANCE_ID' | 'GATEWAY_PORT'>): string {
  return environment.INSTANCE_ID ?? `${hostname()}:${environment.GATEWAY_PORT}`;
}
