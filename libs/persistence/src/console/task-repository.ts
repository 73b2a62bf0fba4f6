import type { TaskState } from '@mg/contract';
import type { EntityManager } from 'typeorm';
import {
  TASK_SUMMARY_COLUMNS,
  type TaskSummary,
  type TaskSummaryRow,
  toTaskSummary,
} from '../tasks/task-row.js';
import { type OwnerScope, projectWalletsOf } from './owner-scope.js';
import type { Page, PageRequest } from './page.js';
import {
  BY_KEY,
  byNumber,
  byText,
  type ListOrder,
  NEWEST_FIRST,
  readCursor,
  type SortColumn,
  type SortColumns,
  type SortDirection,
  writeCursor,
} from './sorted-page.js';

export interface VideoTaskFilter {
  readonly state?: TaskState | undefined;
  readonly model?: string | undefined;
  readonly tokenId?: string | undefined;
  /** Wallet of a project: its tasks alone. */
  readonly projectWalletId?: string | undefined;
}

type TaskSort = 'created' | 'model' | 'seconds' | 'charged';

/** What tasks can be sorted by; each has an index. */
export const TASK_SORTS: SortColumns<TaskSort> = {
  created: BY_KEY,
  model: byText('t.model_slug'),
  seconds: byNumber('t.seconds'),
  charged: byNumber('coalesce(t.charged, 0)'),
};

/** One line of a task's history. */
export interface TaskEventRow {
  readonly at: Date;
  readonly state: TaskState;
  readonly note: string;
}

/** Parameters 1 to 3 are those of `toScopeParameters`. */
const IN_SCOPE = `($1::uuid is null or t.wallet_id in (select w.id from wallet w where w.user_id = $1)
    or t.wallet_id = any($2::uuid[]) or (t.user_id = $1 and t.wallet_id = any($3::uuid[])))`;

/** Parameters after those of the scope: the filter, the limit, and where the page before ended. */
function writeList(column: SortColumn, direction: SortDirection): string {
  const sign = direction === 'asc' ? '>' : '<';
  const [value, following, sorting] =
    column.type === 'key'
      ? ['null', `t.id ${sign} $9::uuid`, `t.id ${direction}`]
      : [
          column.expression,
          `(${column.expression}, t.id) ${sign} ($10::${column.type}, $9::uuid)`,
          `${column.expression} ${direction}, t.id ${direction}`,
        ];
  return `select ${TASK_SUMMARY_COLUMNS}, ${value} as sort_value from task t
      where ${IN_SCOPE} and ($4::text is null or t.state = $4) and ($5::text is null or t.model_slug = $5)
        and ($6::uuid is null or t.token_id = $6) and ($7::uuid is null or t.wallet_id = $7)
        and ($9::uuid is null or ${following})
      order by ${sorting} limit $8`;
}

function writeLists(column: SortColumn): Readonly<Record<SortDirection, string>> {
  return { asc: writeList(column, 'asc'), desc: writeList(column, 'desc') };
}

/** Every statement that the list of tasks asks. */
const SORTED_LISTS: Readonly<Record<TaskSort, Readonly<Record<SortDirection, string>>>> = {
  created: writeLists(TASK_SORTS.created),
  model: writeLists(TASK_SORTS.model),
  seconds: writeLists(TASK_SORTS.seconds),
  charged: writeLists(TASK_SORTS.charged),
};

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

  /** @throws Error for a cursor of another order: the caller has checked it. */
  async list(
    scope: OwnerScope,
    filter: VideoTaskFilter,
    page: PageRequest,
    { sort, order }: ListOrder<TaskSort> = NEWEST_FIRST,
  ): Promise<Page<TaskSummary>> {
    const column = TASK_SORTS[sort];
    const cursor = page.after === undefined ? undefined : readCursor(page.after, column);
    if (page.after !== undefined && cursor === undefined)
      throw new Error('The cursor is one of another order.');
    const rows = await this.manager.query<(TaskSummaryRow & { sort_value: string | number | null })[]>(
      SORTED_LISTS[sort][order],
      [
        ...toScopeParameters(scope),
        filter.state ?? null,
        filter.model ?? null,
        filter.tokenId ?? null,
        filter.projectWalletId ?? null,
        page.limit + 1,
        cursor?.key ?? null,
        ...(column.type === 'key' ? [] : [cursor?.value ?? null]),
      ],
    );
    const last = rows[page.limit - 1];
    return {
      rows: rows.slice(0, page.limit).map(toTaskSummary),
      next:
        rows.length > page.limit && last !== undefined
          ? writeCursor({ key: last.id, value: String(last.sort_value) }, column)
          : undefined,
    };
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
