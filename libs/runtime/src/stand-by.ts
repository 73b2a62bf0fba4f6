import { explainListenError, DEFAULT_PLANE_HOST, type PlaneOptions } from './running-plane.js';
import { type HealthServer, startHealthServer } from './health-server.js';
import { createMetrics } from './metrics.js';

export interface StandByOptions extends PlaneOptions {
  readonly plane: string;
  /** Variable that names the plane's port. Without one nothing is served meanwhile: other processes have the port. */
  readonly portVariable?: 'GATEWAY_PORT' | 'CONSOLE_PORT' | 'BILLING_PORT' | 'VIDEO_WORKER_PORT';
}

/** A plane that cannot begin yet: alive and not ready, on the port that it will serve, until what it waits for is there. */
export class StandBy {
  #health: HealthServer | undefined;
  #reason: string | undefined;

  constructor(private readonly options: StandByOptions) {}

  /**
   * Says what is waited for, in the log once for each reason. Called again before each further try.
   *
   * @throws Error naming the variable of a port that is in use; StopRequested when there is nothing to wait for any more.
   */
  async report(reason: string): Promise<void> {
    const { plane, logger, signal } = this.options;
    signal?.throwIfAborted();
    if (reason !== this.#reason) logger.warn({ reason }, `${plane} is waiting`);
    this.#reason = reason;
    this.#health ??= await this.#listen();
  }

  /** Leaves the port to the plane itself. */
  async end(): Promise<void> {
    await this.#health?.close();
    this.#health = undefined;
  }

  async #listen(): Promise<HealthServer | undefined> {
    const { environment, plane, portVariable } = this.options;
    if (portVariable === undefined) return undefined;
    return startHealthServer({
      host: environment.HOST ?? DEFAULT_PLANE_HOST,
      port: environment[portVariable],
      environment,
      metrics: createMetrics(plane, environment),
      unready: () => this.#reason,
    }).catch((error: unknown) => {
      throw explainListenError(error, portVariable, environment[portVariable]);
    });
  }
}
