import { GatewayError } from '@mg/contract';
import type { JsonObject } from '../json.js';

/**
 * Refuses a conversation that the provider would keep: its earlier turns lie in the account of one channel, nobody here knows
 * whose they are, and no hold covers them. Anthropic's SDKs read `details` and send the whole conversation instead.
 *
 * @throws GatewayError `invalid_request`
 */
export function refuseThread({ thread }: JsonObject): void {
  if (thread === undefined || thread === null) return;
  throw new GatewayError(
    'invalid_request',
    'thread refers to a conversation that the provider keeps: send all of its messages.',
    { param: 'thread', details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
  );
}
