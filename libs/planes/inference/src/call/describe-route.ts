import type { CallRecord } from './call-record.js';

const PLAIN = /^[\x20-\x7e]*$/;

/** Headers of an answer that say where it came from. Channels are the business of administrators. */
export function describeRoute({
  model,
  channel,
  attempts,
  skipped,
  caller,
}: CallRecord): Record<string, string> {
  const route = { 'x-gateway-model': model, 'x-gateway-attempts': String(attempts.length - skipped) };
  if (!caller.isAdministrator || channel === undefined) return route;
  return { ...route, 'x-gateway-channel': PLAIN.test(channel) ? channel : encodeURIComponent(channel) };
}
