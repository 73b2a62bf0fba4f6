import { ConsoleStore } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';

/** Whether the console can serve: not before its configuration is applied, not while it drains, not without its database. */
@Injectable()
export class Readiness {
  #waitingFor: string | undefined = 'starting';

  constructor(private readonly store: ConsoleStore) {}

  markReady(): void {
    this.#waitingFor = undefined;
  }

  markDraining(): void {
    this.#waitingFor = 'draining';
  }

  /** Why the console cannot serve now, or `undefined` when it can. */
  async findObstacle(): Promise<string | undefined> {
    if (this.#waitingFor !== undefined) return this.#waitingFor;
    try {
      await this.store.ping();
      return undefined;
    } catch {
      return 'the database does not answer';
    }
  }
}
