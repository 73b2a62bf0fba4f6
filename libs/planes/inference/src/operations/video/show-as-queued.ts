import type { Task } from '@mg/contract';
import type { TaskHold } from './bound-task.js';

/** Of an order: what is shown of it is parsed in one step. */
const SHOWN_BYTES = 64 * 1024;

/** A task that was just written, where it cannot be read: as it stands before a worker has taken it. */
export function showAsQueued({ task, price, amount }: TaskHold): Task {
  const { deadlineSeconds, order, ...facts } = task;
  const now = Date.now();
  return {
    ...facts,
    order: order.length <= SHOWN_BYTES ? order.toString('utf8') : '',
    state: 'created',
    amount,
    priceVersionId: price.versionId,
    channelId: undefined,
    channelName: undefined,
    keyHash: undefined,
    upstreamModel: undefined,
    upstreamId: undefined,
    upstreamData: {},
    progress: undefined,
    result: undefined,
    error: undefined,
    createdAt: now,
    submittedAt: undefined,
    finishedAt: undefined,
    deadlineAt: now + deadlineSeconds * 1_000,
    nextRunAt: now,
    pollFailures: 0,
    charged: undefined,
  };
}
