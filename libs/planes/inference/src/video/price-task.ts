import { applyVariant, GatewayError, type Model, type NanoUsd, NO_USAGE, priceAt } from '@mg/contract';
import { costOfCall, isPriced } from '@mg/pricing';
import type { CallRecord } from '../call/call-record.js';
import { chooseVideoVariant } from './choose-video-variant.js';
import type { VideoCall } from './video-call.js';

export interface TaskPrice {
  readonly versionId: string;
  readonly variant: string | undefined;
  readonly amount: NanoUsd;
}

/** What an order costs: its seconds at the price in force now, of its variant where there is one. @throws GatewayError `model_not_priced`. */
export function priceTask(record: CallRecord, model: Model, call: VideoCall): TaskPrice {
  const pinned = priceAt(model, Date.now());
  const usageOf = (variant: string | undefined) => ({
    ...NO_USAGE,
    seconds: call.seconds,
    ...(variant === undefined ? {} : { variant }),
  });
  const variant =
    pinned && chooseVideoVariant(pinned.price, call, (name) => costOfCall(usageOf(name), pinned.price).total);
  if (!pinned || !isPriced('video', applyVariant(pinned.price, variant))) {
    throw new GatewayError(
      'model_not_priced',
      `The model "${model.slug}" has no price for this video, so it cannot be used.`,
      { param: 'model' },
    );
  }
  const usage = usageOf(variant);
  const amount = costOfCall(usage, pinned.price).total;
  record.priceVersionId = pinned.versionId;
  record.usage = usage;
  return { versionId: pinned.versionId, variant, amount };
}
