import { BlockList, isIP } from 'node:net';
import type { AddressSet } from '@mg/contract';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** Addresses and networks in CIDR notation. IPv4 addresses that are written as IPv6 (`::ffff:10.0.0.7`) count as what they are. */
export class NetworkSet implements AddressSet {
  readonly #networks = new BlockList();

  /** @param networks as `networkAddressSchema` has checked them. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', prefix] = network.split('/');
      const family = findFamily(address);
      if (family === undefined) continue;
      if (prefix === undefined) this.#networks.addAddress(address, family);
      else this.#networks.addSubnet(address, Number(prefix), family);
    }
  }

  has(address: string): boolean {
    // A link-local address may name its interface.
    const [bare = ''] = address.split('%', 1);
    const family = findFamily(bare);
    return family !== undefined && this.#networks.check(bare, family);
  }
}

function findFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 4 || version === 6 ? FAMILIES[version] : undefined;
}
