import type { ProviderDescriptor, Settings } from '@mg/providers';

/** A channel's settings, apart by where they are kept. */
export interface SplitSettings {
  /** Stored in the clear and shown. */
  readonly shown: Record<string, unknown>;
  /** Sealed at rest and never shown. */
  readonly secret: Record<string, unknown>;
}

type SecretNames = Pick<ProviderDescriptor, 'secretSettings'>;

/** Takes apart what its provider calls secret. */
export function splitSettings({ secretSettings = [] }: SecretNames, settings: Settings): SplitSettings {
  const entries = Object.entries(settings);
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !secretSettings.includes(name))),
    secret: Object.fromEntries(entries.filter(([name]) => secretSettings.includes(name))),
  };
}

/** Fills in the stored secrets that the given settings leave out. A secret given as null is taken away. */
export function completeSettings(
  provider: SecretNames,
  given: Settings,
  storedSecrets: Settings,
): Record<string, unknown> {
  const { shown, secret } = splitSettings(provider, { ...storedSecrets, ...given });
  const kept = Object.entries(secret).filter(([, value]) => value !== null);
  return { ...shown, ...Object.fromEntries(kept) };
}
