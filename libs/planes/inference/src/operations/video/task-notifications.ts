import { followTasks } from '@mg/persistence/gateway';
import { ChangeNotifications, type ChangeWatch } from '../../call/change-notifications.js';

/** Changes of tasks, as the database announces them. */
export class TaskNotifications {
  readonly #changes = new ChangeNotifications();
  readonly #follower: ReturnType<typeof followTasks>;

  constructor(databaseUrl: string, onFailure: (error: Error) => void) {
    this.#follower = followTasks(databaseUrl, {
      changed: (taskId) => this.#changes.notify(taskId),
      connected: () => this.#changes.notifyAll(),
      failed: onFailure,
    });
  }

  watch(taskId: string): ChangeWatch {
    return this.#changes.watch(taskId);
  }

  close(): Promise<void> {
    return this.#follower.close();
  }
}
