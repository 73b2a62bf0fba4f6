import { setTimeout as sleep } from 'node:timers/promises';
import {
  BILLING_PATTERN,
  LEASE_TTL_MS,
  type TaskChargeMessage,
  type TaskChargeReply,
  type TaskEndMessage,
  type TaskEndReply,
  type TaskMoneyPort,
  type TaskOpenMessage,
  type TaskOpenReply,
} from '@mg/contract';
import { isLeased, readHoldReply, toHoldMessage } from './hold-message.js';

/** A task that only leases keep from being opened is asked for again at this pace, until any lease that there was is over. */
const LEASED_PAUSE_MS = 100;

/** Sends a request to billing and resolves with its reply. */
export type AskBilling = <Reply>(pattern: string, message: object) => Promise<Reply>;

/** Billing's side of video tasks, as messages. The order of a task stays behind: it is to be stored before. */
export function createTaskMoney(ask: AskBilling): TaskMoneyPort {
  return {
    async openTask({ hold, task }) {
      const message: TaskOpenMessage = {
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
      };
      const deadline = performance.now() + LEASE_TTL_MS;
      for (;;) {
        const { outcome } = await ask<TaskOpenReply>(BILLING_PATTERN.taskOpen, message);
        if (!isLeased(outcome) || performance.now() + LEASED_PAUSE_MS > deadline)
          return readHoldReply(outcome);
        await sleep(LEASED_PAUSE_MS);
      }
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
