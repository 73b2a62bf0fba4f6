import type { ProviderDescriptor, Settings } from '@mg/providers';

/** A channel's settings, apart by where they are kept. */
interface SplitSettings {
  /** Stored in the clear and shown. */
  readonly shown: Record<string, unknown>;
  /** Sealed at rest and never shown. */
  readonly secret: Record<string, unknown>;
}

/** The secret settings that a channel is to have. */
export interface SecretSettings {
  /** Those that came along. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Names of those that stay as they are stored. */
  readonly kept: readonly string[];
}

/** Settings that were checked. */
export interface CheckedSettings {
  readonly shown: Record<string, unknown>;
  readonly secret: SecretSettings;
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

/** Settings without the secrets that are taken away, which is what a secret given as null means. */
export function dropTakenAway(provider: SecretNames, given: Settings): Record<string, unknown> {
  const { shown, secret } = splitSettings(provider, given);
  const left = Object.entries(secret).filter(([, value]) => value !== null);
  return { ...shown, ...Object.fromEntries(left) };
}
