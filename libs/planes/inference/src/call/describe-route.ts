import { omitUndefined } from '@mg/contract';
import type { CallRecord } from './call-record.js';

const PLAIN = /^[\x20-\x7e]*$/;

/** Headers of an answer that say where it came from. Channels are the business of administrators. */
export function describeRoute(record: CallRecord): Record<string, string> {
  const { model, channel, attempts, skipped, cache, caller } = record;
  const route = omitUndefined({
    'x-gateway-model': model,
    'x-gateway-attempts': String(attempts.length - skipped),
    'x-gateway-cache': cache,
  });
  if (!caller.isAdministrator || channel === undefined) return route;
  return { ...route, 'x-gateway-channel': PLAIN.test(channel) ? channel : encodeURIComponent(channel) };
}
