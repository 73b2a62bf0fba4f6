import { GatewayError, type NewTask, type TaskMoneyPort } from '@mg/contract';
import type { DataSource } from 'typeorm';

/**
 * Billing as a gateway calls it: an order may carry whole images, so the gateway writes it into the database and sends
 * billing the rest only. What is refused is not kept. `openTask` rejects with `service_unavailable` when the order cannot
 * be written.
 */
export function storeOrders(money: TaskMoneyPort, database: DataSource): TaskMoneyPort {
  return {
    chargeTask: (taskId) => money.chargeTask(taskId),
    endTask: (end) => money.endTask(end),
    async openTask(request) {
      const { id } = request.task;
      await storeOrder(database, request.task);
      try {
        const outcome = await money.openTask(request);
        if ('refused' in outcome) await dropOrder(database, id);
        return outcome;
      } catch (error) {
        // Billing writes no task without its order, and a worker ends the one that was written just before.
        await dropOrder(database, id);
        throw error;
      }
    },
  };
}

/** As bytes: the driver would make a text of megabytes into bytes in one step. */
async function storeOrder(database: DataSource, { id, order, hops }: NewTask): Promise<void> {
  try {
    await database.query(
      `insert into task_order (task_id, order_text, hops) values ($1, convert_from($2::bytea, 'UTF8'), $3)
       on conflict do nothing`,
      [id, order, hops ?? null],
    );
  } catch (cause) {
    throw new GatewayError('service_unavailable', 'Video tasks cannot be written at the moment.', {
      retryAfter: 1,
      cause,
    });
  }
}

/** What stays behind when this fails is removed by billing's sweeper. */
async function dropOrder(database: DataSource, taskId: string): Promise<void> {
  await database.query('select task_order_drop($1)', [taskId]).catch(() => undefined);
}
