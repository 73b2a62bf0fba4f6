import { GatewayError } from '@mg/contract';
import type { onRequestHookHandler } from 'fastify';

/** Headers that ask for something by being `1`. Anything else in them would be passed over, against what its sender meant. */
const SWITCHES = ['x-gateway-strict', 'x-gateway-cost'];

/** Refuses a request that asks for something in words that are not known. */
export const refuseUnknownSwitches: onRequestHookHandler = ({ headers }, _reply, done) => {
  const unknown = SWITCHES.find((name) => headers[name] !== undefined && headers[name] !== '1');
  if (unknown === undefined) done();
  else done(new GatewayError('invalid_request', `${unknown} must be 1, or left out.`, { param: unknown }));
};
