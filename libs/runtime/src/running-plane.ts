import { type Environment, EnvironmentError } from '@mg/contract';
import type { Logger } from './logger.js';

/** A plane that serves until it is closed. */
export interface RunningPlane {
  readonly name: string;
  /** `http://host:port` it listens on. */
  readonly address: string | undefined;
  /** Drains: finishes what runs, refuses what is new, releases what it holds. */
  close(): Promise<void>;
}

export interface PlaneOptions {
  readonly environment: Environment;
  readonly logger: Logger;
  /** Aborted with `StopRequested` when the process is told to stop: a start that is in progress comes to its end soon. */
  readonly signal?: AbortSignal | undefined;
}

/** Why a start came to nothing: the process was told to stop meanwhile. */
export class StopRequested extends Error {
  override readonly name = 'StopRequested';

  constructor() {
    super('The process was told to stop while it started.');
  }
}

/** Where a plane listens when HOST does not say: containers and split processes serve their network. */
export const DEFAULT_PLANE_HOST = '0.0.0.0';

/** What the system and the resolver say of a host that cannot be listened on. */
const NO_SUCH_HOST: ReadonlySet<string | undefined> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'EINVAL',
  'ENOTFOUND',
]);

/** Turns a failed `listen` into one sentence that names the variable to change. */
export function explainListenError(error: unknown, variable: string, port: number): Error {
  const { code, address, hostname } = error as NodeJS.ErrnoException & Partial<Record<string, unknown>>;
  if (code === 'EADDRINUSE') {
    return new EnvironmentError(
      `Port ${port} is in use: stop what listens there or set ${variable} to another port.`,
    );
  }
  if (code === 'EACCES') {
    return new EnvironmentError(
      `Port ${port} may not be used by this account: set ${variable} to a port above 1023.`,
    );
  }
  if (NO_SUCH_HOST.has(code)) {
    return new EnvironmentError(
      `HOST: ${String(address ?? hostname)} is no address of this machine (${code}): set HOST to one, such as 127.0.0.1 or 0.0.0.0.`,
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
