import { GatewayError } from '@mg/contract';
import type { ReleaseStep } from '@mg/transport';
import type { GatewayContext } from '../gateway-context.js';
import { type BilledEndpoint } from '../operation.js';
import { needJson, receive } from '../receive.js';
import { release, releaseForGood } from '../settle.js';
import type { TrackedCall } from '../tracked-call.js';
import { openHeldLine } from './open-line.js';

const NO_CONTENT = 204;

/**
 * Gives back what is held for a line that its provider did not carry out. What a lost one may have cost there is booked as
 * waste, and the line is in the log as failed.
 */
export async function releaseLine(
  { requestId, lost }: ReleaseStep,
  endpoint: BilledEndpoint,
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<boolean> {
  const { request, reply, record, lease } = call;
  const body = needJson(await receive(request, endpoint, lease, gateway.spool));
  const line = lost && (await openHeldLine(body, lost, endpoint, call, gateway).catch(() => undefined));
  if (line) {
    const { hold, attempt, sent } = line;
    record.attempts.push({
      channel: attempt.channel.name,
      outcome: 'failed',
      status: null,
      latency_ms: 0,
      reason: `${attempt.reason}; what became of it is not known`,
    });
    record.noteWaste({ reason: 'failed', usage: sent });
    release(record, hold, gateway);
    record.fail(new GatewayError('upstream_error', 'What became of the batch at the provider is not known.'));
  } else {
    await releaseForGood(requestId, gateway);
  }
  reply.code(NO_CONTENT).send();
  return line !== undefined;
}
