import { z } from 'zod';
import { REFUSALS } from './refusals.js';

/** How many entries a list of addresses has at most. */
const MAX_ENTRIES = 100;

/** An IPv4 or IPv6 address, or a network in CIDR notation. */
export const networkAddressSchema = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  REFUSALS.no_network_address,
);

/** `allowed_ips` of a key. */
export const allowedIpsSchema = z.array(networkAddressSchema).max(MAX_ENTRIES);

/** Addresses of clients. */
export interface AddressSet {
  /** @param address IPv4 or IPv6 as a socket or a proxy names it; anything else belongs to no set. */
  has(address: string): boolean;
}
