import { GatewayError } from '@mg/contract';
import type { onRequestHookHandler } from 'fastify';

/** Anything else would be passed over, against what its sender meant. */
const VALUES: ReadonlySet<unknown> = new Set([undefined, '0', '1']);
/** Headers that ask for something by being `1`. */
const SWITCHES = ['x-gateway-strict', 'x-gateway-cost'];

/** Refuses a request that asks for something in words that are not known. */
export const refuseUnknownSwitches: onRequestHookHandler = ({ headers }, _reply, done) => {
  const unknown = SWITCHES.find((name) => !VALUES.has(headers[name]));
  if (unknown === undefined) done();
  else done(new GatewayError('invalid_request', `${unknown} must be 1 or 0.`, { param: unknown }));
};
