import { type CallerToken, GatewayError, type Model, type Usage } from '@mg/contract';
import type { NativeHold, SettleStep } from '@mg/transport';
import { findModel } from '../find-model.js';
import type { GatewayContext } from '../gateway-context.js';
import type { Hold } from '../hold.js';
import type { BilledEndpoint, Operation } from '../operation.js';
import { readStored } from '../read-stored-files.js';
import type { TrackedCall } from '../tracked-call.js';
import type { TimedAttempt } from '../try-channels.js';
import { parseWritten } from '../../edge/read-json-body.js';
import { isBatchable, toNativeAttempt } from './find-native-attempt.js';

/** A line that a provider has, as it was when it was prepared. */
export interface HeldLine {
  readonly operation: Operation;
  readonly attempt: TimedAttempt;
  readonly hold: Hold;
  /** What its provider was sent, about, with the content of files that it names. */
  readonly sent: Usage;
}

/**
 * Opens a line once more that was prepared before: by the model, the price and for the channel of that time. Nothing that its
 * caller may have changed meanwhile is looked up again, or the line would cost nothing.
 *
 * @throws GatewayError where its channel is gone, and `service_unavailable` where that is not known.
 */
export async function openHeldLine(
  body: Buffer,
  { channelId, upstreamModel, hold: held }: Pick<SettleStep, 'channelId' | 'upstreamModel' | 'hold'>,
  endpoint: BilledEndpoint,
  { request, record, lease }: TrackedCall,
  gateway: GatewayContext,
): Promise<HeldLine> {
  await parseWritten(body);
  const operation = await endpoint.open(body, request, gateway, {
    caller: record.caller,
    lease,
    isOver: true,
  });
  record.describe(operation);
  if (!isBatchable(operation)) throw new TypeError('A line that was prepared is none of a batch any more.');
  const model = await findHeldModel(held, operation, record.caller, gateway);
  record.resolve(model.slug);
  const channel = await readStored(gateway.findChannel(channelId));
  if (!channel) {
    throw new GatewayError('upstream_unavailable', 'The channel that had the request was deleted.');
  }
  record.channel = channel.name;
  const { slug } = model;
  const attempt = toNativeAttempt(slug, channel, upstreamModel ?? channel.models.get(slug) ?? slug);
  const bound = operation.bound(model, { attempts: [attempt], cooldownUntilMs: undefined }, record);
  const price = findPrice(model, held) ?? bound.price;
  record.priceVersionId = price.versionId;
  const granted = BigInt(held.granted);
  const hold = bound.toHold({ requestId: record.requestId, granted, price });
  const sent = operation.approximateSent(hold);
  const { sentTokens: inputTokens = sent.inputTokens } = held;
  return { operation, attempt, hold, sent: { ...sent, inputTokens } };
}

/** The model of `prepare`, whatever became of it: what its provider has made is to be paid for. */
async function findHeldModel(
  { model: slug }: NativeHold,
  { model: name, kind }: Operation,
  caller: CallerToken,
  { catalog, loadModel }: Pick<GatewayContext, 'catalog' | 'loadModel'>,
): Promise<Model> {
  const held =
    slug === undefined ? undefined : (catalog().models.get(slug) ?? (await readStored(loadModel(slug))));
  // It was allowed when its money was held.
  return held ?? findModel(catalog(), { ...caller, allowedModels: undefined }, name, kind);
}

function findPrice({ prices }: Model, { priceVersionId }: NativeHold) {
  return prices.find(({ versionId }) => versionId === priceVersionId);
}
