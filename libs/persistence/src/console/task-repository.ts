import type { TaskState } from '@mg/contract';
import type { EntityManager } from 'typeorm';
import {
  TASK_SUMMARY_COLUMNS,
  type TaskSummary,
  type TaskSummaryRow,
  toTaskSummary,
} from '../tasks/task-row.js';
import { type OwnerScope, projectWalletsOf } from './owner-scope.js';
import { cutPage, type Page, type PageRequest } from './page.js';

export interface VideoTaskFilter {
  readonly state?: TaskState | undefined;
  readonly model?: string | undefined;
  readonly tokenId?: string | undefined;
  /** Wallet of a project: its tasks alone. */
  readonly projectWalletId?: string | undefined;
}

/** One line of a task's history. */
export interface TaskEventRow {
  readonly at: Date;
  readonly state: TaskState;
  readonly note: string;
}

/** Parameters 1 to 3 are those of `toScopeParameters`. */
const IN_SCOPE = `($1::uuid is null or t.wallet_id in (select w.id from wallet w where w.user_id = $1)
    or t.wallet_id = any($2::uuid[]) or (t.user_id = $1 and t.wallet_id = any($3::uuid[])))`;

/** The reading side of video tasks. Tasks that their owner removed from the API's list stay here, beside their charges. */
export class TaskRepository {
  constructor(private readonly manager: EntityManager) {}

  async find(scope: OwnerScope, id: string): Promise<TaskSummary | undefined> {
    const [row] = await this.manager.query<TaskSummaryRow[]>(
      `select ${TASK_SUMMARY_COLUMNS} from task t where ${IN_SCOPE} and t.id = $4`,
      [...toScopeParameters(scope), id],
    );
    return row && toTaskSummary(row);
  }

  /** Newest first: ids are ordered by time. */
  async list(scope: OwnerScope, filter: VideoTaskFilter, page: PageRequest): Promise<Page<TaskSummary>> {
    const rows = await this.manager.query<TaskSummaryRow[]>(
      `select ${TASK_SUMMARY_COLUMNS} from task t
        where ${IN_SCOPE} and ($4::text is null or t.state = $4) and ($5::text is null or t.model_slug = $5)
          and ($6::uuid is null or t.token_id = $6) and ($7::uuid is null or t.id < $7)
          and ($8::uuid is null or t.wallet_id = $8)
        order by t.id desc limit $9`,
      [
        ...toScopeParameters(scope),
        filter.state ?? null,
        filter.model ?? null,
        filter.tokenId ?? null,
        page.after ?? null,
        filter.projectWalletId ?? null,
        page.limit + 1,
      ],
    );
    return cutPage(rows.map(toTaskSummary), page.limit, (row) => row.id);
  }

  /** A task's history, oldest first. The caller checks first whether the task may be seen. */
  listEvents(taskId: string): Promise<TaskEventRow[]> {
    return this.manager.query<TaskEventRow[]>(
      'select at, state, note from task_event where task_id = $1 order by id',
      [taskId],
    );
  }
}

function toScopeParameters(scope: OwnerScope): unknown[] {
  const { whole, partly } = projectWalletsOf(scope);
  return [scope.kind === 'user' ? scope.userId : null, whole, partly];
}
