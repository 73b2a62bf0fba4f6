import { GatewayError } from '@mg/contract';
import { isRefusal } from '../limits/limiter.js';
import { nameLimit } from '../limits/refuse-limited.js';
import { sendToChannel, type SentCall } from './send-to-channel.js';
import type { CallRecord } from './call-record.js';
import { classifyRefusal } from './classify-failure.js';
import type { GatewayContext } from './gateway-context.js';
import type { AttemptOutcome } from './take-answer.js';
import type { TimedAttempt } from './try-channels.js';

/** Asks a channel that has room under its own limits; one that has none is passed over, and no fault of its is noted. */
export function sendWithinLimits(
  attempt: TimedAttempt,
  call: SentCall & { readonly record: CallRecord },
  gateway: GatewayContext,
): Promise<AttemptOutcome> {
  if (attempt.channel.limits) return sendLimited(attempt, call, gateway);
  endChannelPermit(call.record);
  return sendToChannel(attempt, call, gateway);
}

async function sendLimited(
  attempt: TimedAttempt,
  call: SentCall & { readonly record: CallRecord },
  gateway: GatewayContext,
): Promise<AttemptOutcome> {
  const { record } = call;
  const { channel } = attempt;
  if (record.channelPermit?.channelId !== channel.id) {
    endChannelPermit(record);
    const outcome = await gateway.limiter.take(channel.limits ? [channel.limits] : [], record.mostTokens);
    if (isRefusal(outcome)) {
      gateway.metrics.countLimited('channel', outcome.refusedBy.measure);
      const reason = `not asked: ${nameLimit(outcome.refusedBy)} is reached`;
      const error = new GatewayError(
        'upstream_unavailable',
        'The channels of the model are at their limits.',
        {
          retryAfter: 1,
        },
      );
      return { kind: 'fault', fault: { ...classifyRefusal(error), reason } };
    }
    record.channelPermit = { channelId: channel.id, permit: outcome };
  }
  return sendToChannel(attempt, call, gateway);
}

/** A channel that did not answer is not in use by the call any more. */
function endChannelPermit(record: CallRecord): void {
  record.channelPermit?.permit.end(0);
  record.channelPermit = undefined;
}
