import { findBaseUrl, type ProviderDescriptor, type Settings } from '@mg/providers';
import { refuseField } from './field-problem.js';

/** What decides where a channel's calls go. */
interface ChannelAddress {
  /** `undefined` for a type that this version does not know: nothing goes anywhere. */
  readonly provider: ProviderDescriptor | undefined;
  readonly baseUrl: string | undefined;
  readonly settings: Settings;
}

/** Secrets of a channel that a change would leave as they are stored. */
interface KeptSecrets {
  readonly apiKey: boolean;
  /** Names of the secret settings. */
  readonly settings: readonly string[];
}

/**
 * A stored secret stays with the scheme, host and port that it was given for. Otherwise whoever may change a channel could
 * have its secrets sent to a server of their own, without ever having seen them.
 *
 * @throws FieldProblem that names the first secret to give again.
 */
export function refuseMovedSecrets(before: ChannelAddress, after: ChannelAddress, kept: KeptSecrets): void {
  if (!isMoved(before, after)) return;
  if (kept.apiKey) throw refuseField('api_key', 'secret_moves');
  const [name] = kept.settings;
  if (name !== undefined) throw refuseField(`settings.${name}`, 'secret_moves');
}

/** Whether calls go to another scheme, host or port. */
export function isMoved(before: ChannelAddress, after: ChannelAddress): boolean {
  const to = findOrigin(after);
  // What is answered in this process goes nowhere.
  return to !== undefined && to !== findOrigin(before);
}

function findOrigin({ provider, baseUrl, settings }: ChannelAddress): string | undefined {
  const address = provider && findBaseUrl(provider, baseUrl, settings);
  return address === undefined || !URL.canParse(address) ? undefined : new URL(address).origin;
}
