import { GatewayError } from './errors.js';
import { sha256 } from './ids.js';

/** Names the gateways that a call came through, the nearest last: `0f3a...,77b2...`. No secret, and trusted for nothing else. */
export const HOPS_HEADER = 'x-gateway-hops';
/** Gateways of different installations may stand in front of each other, but not without end. */
const MAX_HOPS = 4;
const NAME = /^[0-9a-f]{16}$/;
const NAME_LENGTH = 16;

/** A name that all processes of an installation share, and that reveals nothing of the key it is made of. */
export function nameInstallation(encryptionKey: string): string {
  return sha256(`installation ${encryptionKey}`).slice(0, NAME_LENGTH);
}

/**
 * The gateways that a call came through, for {@link addHop}.
 *
 * @param header the header of that name as it came in, if it did. What is no name of a gateway is passed over.
 * @throws GatewayError `loop_detected` when the call came through this installation before, or through too many others.
 */
export function readHops(
  header: string | readonly string[] | undefined,
  installation: string,
): string | undefined {
  if (header === undefined) return undefined;
  const names = String(header)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => NAME.test(name));
  if (names.includes(installation)) {
    throw new GatewayError(
      'loop_detected',
      'The call came back to the gateway that sent it: a channel points at the gateway itself.',
    );
  }
  if (names.length >= MAX_HOPS) {
    throw new GatewayError('loop_detected', `The call came through ${names.length} gateways.`);
  }
  return names.length === 0 ? undefined : names.join(',');
}

/** The header's value for what this installation sends on. @param hops gateways that the call came through before. */
export function addHop(hops: string | undefined, installation: string): string {
  return hops === undefined ? installation : `${hops},${installation}`;
}
