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
    const rows = await this.database.query<TaskRow[]>(
      `select ${TASK_COLUMNS} from task t where ${CHOSEN} order by t.id desc limit $6 offset $7`,
      [...chosen, page.limit, page.offset],
    );
    return { tasks: rows.map(toTask), total: Number(count?.total ?? 0) };
  }

  /** A wallet's tasks of one API variant, newest first: those that came before the one with this public id, or the newest of all. */
  async listAfter(
    walletId: string,
    apiVariant: ApiVariant,
    after: string | undefined,
    limit: number,
  ): Promise<readonly Task[]> {
    const rows = await this.database.query<TaskRow[]>(
      `select ${TASK_COLUMNS} from task t
        where t.wallet_id = $1 and t.hidden_at is null and t.face = $2
          and ($3::text is null or t.id < (select last.id from task last where last.public_id = $3 and last.wallet_id = $1))
        order by t.id desc limit $4`,
      [walletId, apiVariant, after ?? null, limit],
    );
    return rows.map(toTask);
  }

  /** Removes an ended task from its wallet's list; false when there is none of this id or it has not ended. */
  async hide(walletId: string, publicId: string): Promise<boolean> {
    const [row] = await this.database.query<{ hidden: boolean }[]>(
      'select task_hide_in_wallet($1, $2) as hidden',
      [walletId, publicId],
    );
    return row?.hidden === true;
  }
}

const CHOSEN = `t.wallet_id = $1 and t.hidden_at is null
  and ($2::text is null or t.face = $2)
  and ($3::text[] is null or t.state = any ($3))
  and ($4::text[] is null or t.public_id = any ($4))
  and ($5::text is null or t.model_slug = $5)`;
