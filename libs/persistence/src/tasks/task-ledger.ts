import {
  GatewayError,
  type NanoUsd,
  type PriceSheet,
  type TaskEnd,
  type TaskEndOutcome,
  type TaskOpenRequest,
  type TaskState,
  toCount,
  toStorableJson,
  toStorableText,
} from '@mg/contract';
import type { DataSource } from 'typeorm';
import { type HoldDecision, type HoldRow, toDecision, toHoldColumns } from '../money/hold-decision.js';
import { retryConflicts } from '../money/retry-conflicts.js';
import { costOfVideo } from './cost-of-video.js';

/** Money of video tasks. Each method is one transaction over task, hold and ledger, and may be repeated. */
export class TaskLedger {
  constructor(private readonly database: DataSource) {}

  /** Holds a task's cost and writes the task, both or neither; repeated with the same id, it is one task. */
  async openTask({ hold, task }: TaskOpenRequest): Promise<HoldDecision> {
    const columns = {
      public_id: task.publicId,
      face: task.apiVariant,
      user_id: task.userId,
      order_text: task.order.toString('utf8'),
      seconds: task.seconds,
      price_variant: task.priceVariant ?? null,
      callback_url: task.callbackUrl ?? null,
      deadline_seconds: task.deadlineSeconds,
    };
    const [row] = await retryConflicts(() =>
      this.database.query<HoldRow[]>('select * from task_open($1::jsonb, $2::jsonb)', [
        toStorableJson(toHoldColumns(hold)),
        toStorableJson(columns),
      ]),
    );
    if (!row) throw new Error('task_open answered nothing');
    return toDecision(row, hold);
  }

  /**
   * Charges a task once the provider has taken it; answers what the caller pays as it stands.
   *
   * @throws GatewayError `not_found` for an unknown task.
   */
  async chargeTask(taskId: string): Promise<NanoUsd> {
    const [row] = await retryConflicts(() =>
      this.database.query<{ charged: string | null }[]>('select task_charge($1) as charged', [taskId]),
    );
    if (!row || row.charged === null) throw unknownTask();
    return BigInt(row.charged);
  }

  /**
   * Ends a task with its money. Only the first end counts; later ones, and those from a state that is not in `from`,
   * change nothing and answer what stands.
   *
   * @throws GatewayError `not_found` for an unknown task.
   */
  async endTask(end: TaskEnd): Promise<TaskEndOutcome> {
    const actual = end.state === 'succeeded' ? await this.#priceActual(end) : undefined;
    const [row] = await retryConflicts(() =>
      this.database.query<{ state: TaskState | null; charged: string; ended: boolean }[]>(
        'select * from task_end($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8)',
        [
          end.taskId,
          end.state,
          end.from ?? null,
          end.error === undefined ? null : toStorableJson(end.error),
          end.result === undefined ? null : toStorableJson(end.result),
          actual?.cost.toString() ?? null,
          actual?.seconds ?? null,
          toStorableText(end.note),
        ],
      ),
    );
    if (!row || row.state === null) throw unknownTask();
    return { state: row.state, charged: BigInt(row.charged), ended: row.ended };
  }

  /**
   * Ends tasks whose deadline passed so long ago that no worker can be left, as expired and with their money back;
   * answers their ids. Answers none while another sweeper is at it.
   */
  async sweepTasks(options: { graceSeconds: number; limit: number }): Promise<string[]> {
    const rows = await retryConflicts(() =>
      this.database.query<{ id: string }[]>(
        'select id from task_sweep(make_interval(secs => $1), $2) as swept (id)',
        [options.graceSeconds, options.limit],
      ),
    );
    return rows.map((row) => row.id);
  }

  /** What was really made, in started seconds, and its cost by the price that the task was opened with. No seconds are no figure. */
  async #priceActual(end: TaskEnd): Promise<{ seconds: number; cost: NanoUsd } | undefined> {
    const seconds = toCount(end.actualSeconds);
    if (seconds === 0) return undefined;
    const [row] = await this.database.query<{ price: PriceSheet; price_variant: string | null }[]>(
      `select p.price, t.price_variant from task t join price_version p on p.id = t.price_version_id where t.id = $1`,
      [end.taskId],
    );
    if (!row) throw unknownTask();
    return { seconds, cost: costOfVideo(seconds, row.price, row.price_variant ?? undefined) };
  }
}

function unknownTask(): GatewayError {
  return new GatewayError('not_found', 'There is no video task of this id.', { param: 'task_id' });
}
