import {
  BILLING_PATTERN,
  type TaskChargeMessage,
  type TaskChargeReply,
  type TaskEndMessage,
  type TaskEndReply,
  type TaskMoneyPort,
  type TaskOpenMessage,
  type TaskOpenReply,
} from '@mg/contract';
import { readHoldReply, toHoldMessage } from './hold-message.js';

/** Sends a request to billing and resolves with its reply. */
export type AskBilling = <Reply>(pattern: string, message: object) => Promise<Reply>;

/** Billing's side of video tasks, as messages. The order of a task stays behind: it is to be stored before. */
export function createTaskMoney(ask: AskBilling): TaskMoneyPort {
  return {
    async openTask({ hold, task }) {
      const reply = await ask<TaskOpenReply>(BILLING_PATTERN.taskOpen, {
        hold: toHoldMessage(hold),
        task: {
          public_id: task.publicId,
          face: task.apiVariant,
          user_id: task.userId,
          seconds: task.seconds,
          price_variant: task.priceVariant ?? null,
          callback_url: task.callbackUrl ?? null,
          deadline_seconds: task.deadlineSeconds,
        },
      } satisfies TaskOpenMessage);
      return readHoldReply(reply.outcome);
    },
    async chargeTask(taskId) {
      const reply = await ask<TaskChargeReply>(BILLING_PATTERN.taskCharge, {
        task_id: taskId,
      } satisfies TaskChargeMessage);
      return BigInt(reply.charged);
    },
    async endTask(end) {
      const reply = await ask<TaskEndReply>(BILLING_PATTERN.taskEnd, {
        task_id: end.taskId,
        state: end.state,
        from: end.from ?? null,
        error: end.error ?? null,
        result: end.result ?? null,
        actual_seconds: end.actualSeconds ?? null,
        note: end.note,
      } satisfies TaskEndMessage);
      return { ...reply, charged: BigInt(reply.charged) };
    },
  };
}
