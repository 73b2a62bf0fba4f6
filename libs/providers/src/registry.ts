import type { ProviderDescriptor } from './descriptor.js';
import { openai } from './openai/index.js';
import { openaiCompatible } from './openai-compatible/index.js';
import { sandbox } from './sandbox/index.js';

/** Every provider, one line each. */
const PROVIDERS: readonly ProviderDescriptor[] = [openai, openaiCompatible, sandbox];

const BY_ID: ReadonlyMap<string, ProviderDescriptor> = new Map(
  PROVIDERS.map((provider) => [provider.id, provider]),
);

/** The descriptor of a channel's type, or `undefined` when there is none. */
export function findProvider(type: string): ProviderDescriptor | undefined {
  return BY_ID.get(type);
}

export function listProviders(): readonly ProviderDescriptor[] {
  return PROVIDERS;
}
