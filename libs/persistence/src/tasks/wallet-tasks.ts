import type { Task, ApiVariant, TaskState } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { TASK_COLUMNS, type TaskRow, toTask } from './task-row.js';

/** Which of a wallet's tasks are listed; what is left out does not matter. */
export interface TaskFilter {
  readonly apiVariant?: ApiVariant;
  readonly states?: readonly TaskState[];
  readonly publicIds?: readonly string[];
  readonly model?: string;
}

/** Rows of a list that are read together: each takes the driver a tenth of a millisecond, and more where much was reported of its task. */
const ROWS_AT_ONCE = 25;

/** Tasks as callers may see them: questions take the wallet of the caller's key, so that nobody finds another wallet's. */
export class WalletTasks {
  constructor(private readonly database: DataSource) {}

  /** A wallet's task by its public id; undefined as well when it is another wallet's or was removed from the list. */
  async find(walletId: string, publicId: string): Promise<Task | undefined> {
    const [row] = await this.database.query<TaskRow[]>(
      `select ${TASK_COLUMNS} from task t where t.public_id = $1 and t.wallet_id = $2 and t.hidden_at is null`,
      [publicId, walletId],
    );
    return row && toTask(row);
  }

  /** A task by its public id alone: for those who come with a link that was signed for it, and for nobody else. */
  async findLinked(publicId: string): Promise<Task | undefined> {
    const [row] = await this.database.query<TaskRow[]>(
      `select ${TASK_COLUMNS} from task t where t.public_id = $1 and t.hidden_at is null`,
      [publicId],
    );
    return row && toTask(row);
  }

  /** One page of a wallet's tasks, newest first, and how many there are in all. */
  async list(
    walletId: string,
    filter: TaskFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly tasks: readonly Task[]; readonly total: number }> {
    const chosen = [
      walletId,
      filter.apiVariant ?? null,
      filter.states ?? null,
      filter.publicIds ?? null,
      filter.model ?? null,
    ];
    const [count] = await this.database.query<{ total: string }[]>(
      `select count(*) as total from task t where ${CHOSEN}`,
      chosen,
    );
    const tasks = await this.#readPage(CHOSEN, chosen, page);
    return { tasks, total: Number(count?.total ?? 0) };
  }

  /** A wallet's tasks of one API variant, newest first: those that came before the one with this public id, or the newest of all. */
  async listAfter(
    walletId: string,
    apiVariant: ApiVariant,
    after: string | undefined,
    limit: number,
  ): Promise<readonly Task[]> {
    return this.#readPage(CAME_BEFORE, [walletId, apiVariant, after ?? null], { limit, offset: 0 });
  }

  /** Removes an ended task from its wallet's list; false when there is none of this id or it has not ended. */
  async hide(walletId: string, publicId: string): Promise<boolean> {
    const [row] = await this.database.query<{ hidden: boolean }[]>(
      'select task_hide_in_wallet($1, $2) as hidden',
      [walletId, publicId],
    );
    return row?.hidden === true;
  }

  /** Reads a page in portions, each of which takes the driver some milliseconds at most. */
  async #readPage(
    condition: string,
    values: readonly unknown[],
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<Task[]> {
    const tasks: Task[] = [];
    const [last, most, skipped] = [1, 2, 3].map((place) => `$${values.length + place}`);
    while (tasks.length < limit) {
      const wanted = Math.min(ROWS_AT_ONCE, limit - tasks.length);
      const lastId = tasks.at(-1)?.id;
      const rows = await this.database.query<TaskRow[]>(
        `select ${TASK_COLUMNS} from task t where ${condition} and (${last}::uuid is null or t.id < ${last})
          order by t.id desc limit ${most} offset ${skipped}`,
        [...values, lastId ?? null, wanted, lastId === undefined ? offset : 0],
      );
      tasks.push(...rows.map(toTask));
      if (rows.length < wanted) break;
    }
    return tasks;
  }
}

const CHOSEN = `t.wallet_id = $1 and t.hidden_at is null
  and ($2::text is null or t.face = $2)
  and ($3::text[] is null or t.state = any ($3))
  and ($4::text[] is null or t.public_id = any ($4))
  and ($5::text is null or t.model_slug = $5)`;

const CAME_BEFORE = `t.wallet_id = $1 and t.hidden_at is null and t.face = $2
  and ($3::text is null or t.id < (select last.id from task last where last.public_id = $3 and last.wallet_id = $1))`;
