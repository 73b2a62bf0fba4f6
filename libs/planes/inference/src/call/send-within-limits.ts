import { GatewayError } from '@mg/contract';
import { isRefusal } from '../limits/limiter.js';
import { nameLimit } from '../limits/refuse-limited.js';
import type { CallRecord } from './call-record.js';
import { classifyRefusal } from './classify-failure.js';
import type { GatewayContext } from './gateway-context.js';
import type { FaultOutcome, TimedAttempt } from './try-channels.js';

/** What a call is known by to the limits of the channels that it asks. */
type LimitedRecord = Pick<CallRecord, 'channelPermit' | 'mostTokens'>;

/**
 * Asks a channel that has room under its own limits; one that has none is passed over, and no fault of its is noted. Each request to
 * a channel counts: another one with its next key has to find room, too.
 */
export function sendWithinLimits<Outcome>(
  attempt: TimedAttempt,
  record: LimitedRecord,
  gateway: GatewayContext,
  send: () => Promise<Outcome>,
): Promise<Outcome | FaultOutcome> {
  const { channel } = attempt;
  const { channelPermit } = record;
  if (channel.limits && channelPermit?.channelId === channel.id && !channelPermit.isUsed) {
    channelPermit.isUsed = true;
    return send();
  }
  endChannelPermit(record);
  return channel.limits ? sendLimited(attempt, record, gateway, send) : send();
}

async function sendLimited<Outcome>(
  { channel }: TimedAttempt,
  record: LimitedRecord,
  gateway: GatewayContext,
  send: () => Promise<Outcome>,
): Promise<Outcome | FaultOutcome> {
  const permit = await gateway.limiter.take([], record.mostTokens, channel.limits);
  if (isRefusal(permit)) {
    gateway.metrics.countLimited('channel', permit.refusedBy.measure);
    const reason = `not asked: ${nameLimit(permit.refusedBy)} is reached`;
    const error = new GatewayError('upstream_unavailable', 'The channels of the model are at their limits.', {
      retryAfter: 1,
    });
    return { kind: 'fault', fault: { ...classifyRefusal(error), reason } };
  }
  record.channelPermit = { channelId: channel.id, permit, isUsed: true };
  return send();
}

/** A channel that did not answer is not in use by the call any more. */
function endChannelPermit(record: LimitedRecord): void {
  record.channelPermit?.permit.end(0);
  record.channelPermit = undefined;
}
