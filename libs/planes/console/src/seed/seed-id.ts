import { createHash } from 'node:crypto';
import { listProviders, type ProviderDescriptor } from '@mg/providers';

/** A channel that appears by itself, and the environment variable that makes it. */
export interface ChannelSeed {
  readonly channelId: string;
  readonly provider: ProviderDescriptor;
  readonly variable: string;
}

const SANDBOX_VARIABLE = 'SANDBOX_ENABLED';

/** Every provider that needs no credential, or names the variable that carries it, and has models to offer. */
export function listChannelSeeds(): ChannelSeed[] {
  return listProviders().flatMap((provider) => {
    const variable = provider.credential === 'none' ? SANDBOX_VARIABLE : provider.environmentKey;
    if (variable === undefined || provider.models.length === 0) return [];
    return [{ channelId: seedChannelId(provider.id), provider, variable }];
  });
}

/** The seed behind a channel, or `undefined` for one that an operator made. */
export function findSeedOf(channelId: string): ChannelSeed | undefined {
  return listChannelSeeds().find((seed) => seed.channelId === channelId);
}

/**
 * A seeded channel's id follows from its provider, so that every start finds it again whatever an operator renames it
 * to: a UUID of version 8, made of a hash.
 */
export function seedChannelId(providerId: string): string {
  const digest = createHash('sha256').update(`seeded channel: ${providerId}`).digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
