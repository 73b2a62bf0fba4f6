import { type HoldRequest, type NewTask, newId, type TaskOpenRequest } from '@mg/contract';
import { buildHoldRequest } from './build-hold-request.js';
import type { Payer } from './seed-payer.js';

/** A payer's question for a video of five seconds that costs 0.1 USD, under a new id unless said otherwise. */
export function buildTaskRequest(
  payer: Payer,
  changes: { readonly hold?: Partial<HoldRequest>; readonly task?: Partial<NewTask> } = {},
): TaskOpenRequest {
  const hold = buildHoldRequest(payer, changes.hold);
  return {
    hold,
    task: {
      id: hold.id,
      publicId: `task_${newId()}`,
      apiVariant: 'generic',
      userId: payer.userId,
      tokenId: hold.tokenId,
      walletId: hold.walletId,
      model: hold.model,
      order: Buffer.from('{"prompt":"a cat"}'),
      seconds: 5,
      priceVariant: undefined,
      callbackUrl: undefined,
      deadlineSeconds: 3_600,
      ...changes.task,
    },
  };
}
