import type { CallRecord } from './call-record.js';

const PLAIN = /^[\x20-\x7e]*$/;

/** Headers of an answer that say where it came from. Channels are the business of administrators. */
export function describeRoute(record: CallRecord): Record<string, string> {
  const { model, channel, attempts, skipped, cache, caller } = record;
  const route: Record<string, string> = {
    'x-gateway-model': model,
    'x-gateway-attempts': String(attempts.length - skipped),
  };
  if (cache) route['x-gateway-cache'] = cache;
  if (caller.isAdministrator && channel !== undefined) {
    route['x-gateway-channel'] = PLAIN.test(channel) ? channel : encodeURIComponent(channel);
  }
  return route;
}

/** The header of an answer that says which fields its conversion left out; none where none were. */
export function nameDropped(dropped: string | undefined): Record<string, string> {
  return dropped === undefined ? {} : { 'x-gateway-dropped': dropped };
}
