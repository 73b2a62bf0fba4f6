import { z } from 'zod';

/** How many entries a list of addresses has at most. */
const MAX_ENTRIES = 100;

const EXPECTED = 'must be an address or a network such as 203.0.113.7, 10.1.0.0/16, 2001:db8::/32';

/** An IPv4 or IPv6 address, or a network in CIDR notation. */
export const networkAddressSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], EXPECTED);

/** `allowed_ips` of a key. */
export const allowedIpsSchema = z.array(networkAddressSchema).max(MAX_ENTRIES);

/** Addresses of clients. */
export interface AddressSet {
  /** @param address IPv4 or IPv6 as a socket or a proxy names it; anything else belongs to no set. */
  has(address: string): boolean;
}
