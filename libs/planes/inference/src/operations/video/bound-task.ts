import { applyVariant, type Model, type NanoUsd, type NewTask, NO_USAGE, omitUndefined } from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import { namePublicTask } from '@mg/protocols';
import type { CallRecord } from '../../call/call-record.js';
import type { Hold } from '../../call/hold.js';
import type { Bound } from '../../call/operation.js';
import { pinPrice, refuseUnpriced } from '../../call/pin-price.js';
import { chooseVideoVariant } from './choose-video-variant.js';
import type { VideoCall } from './video-call.js';
import type { VideoContext } from './video-context.js';

/** Money set aside for a task. */
export interface TaskHold extends Hold {
  readonly task: NewTask;
  /** What the task costs, in nano-dollars. */
  readonly amount: NanoUsd;
}

/**
 * What an order costs: its seconds at the price in force now, of its variant where there is one. Billing writes the task and
 * holds its cost in one transaction.
 *
 * @throws GatewayError `model_not_priced`
 */
export function boundTask(
  call: VideoCall,
  model: Model,
  record: CallRecord,
  { key, openings, money }: VideoContext,
): Bound<TaskHold> {
  const pinned = pinPrice(record, model);
  const { price } = pinned;
  const usageOf = (variant: string | undefined) => ({
    ...NO_USAGE,
    seconds: call.seconds,
    ...omitUndefined({ variant }),
  });
  const costOf = (variant: string | undefined) => costOfCall(usageOf(variant), price).total;
  const variant = chooseVideoVariant(price, call, costOf);
  refuseUnpriced(model, applyVariant(price, variant));
  const amount = costOf(variant);
  record.usage = usageOf(variant);
  const { caller, requestId } = record;
  const task: NewTask = {
    id: requestId,
    publicId: namePublicTask(requestId, call.apiVariant, key),
    apiVariant: call.apiVariant,
    userId: caller.userId,
    tokenId: caller.id,
    walletId: caller.walletId,
    model: model.slug,
    order: call.order,
    hops: record.hops,
    seconds: call.seconds,
    priceVariant: variant,
    callbackUrl: call.callbackUrl,
    deadlineSeconds: call.deadlineSeconds,
  };
  return {
    price: pinned,
    wanted: amount,
    minimum: amount,
    ttlSeconds: call.deadlineSeconds,
    openHold: (hold) => openings.takeTurn(caller.walletId, () => money.openTask({ hold, task })),
    toHold: (hold) => ({ ...hold, task, amount }),
  };
}
