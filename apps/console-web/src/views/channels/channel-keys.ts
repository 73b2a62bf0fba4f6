import type { ChannelAttempts } from '../../api/use-attempts.js';
import type { Channel } from '../../api/console-api.js';

export type ChannelKey = Channel['keys'][number];

/** Whether a channel has keys and all of them are disabled: no call goes there. */
export function hasNoKeyLeft({ keys }: Pick<Channel, 'keys'>): boolean {
  return keys.length > 0 && keys.every(({ enabled }) => !enabled);
}

/** Whether a channel would have no enabled key without this one. */
export function isLastEnabled({ keys }: Pick<Channel, 'keys'>, { ref, enabled }: ChannelKey): boolean {
  return enabled && keys.every((key) => key.ref === ref || !key.enabled);
}

/** What a provider answers whose key it does not take. */
const REFUSALS: ReadonlySet<number | null | undefined> = new Set([401, 403]);

type Part = Pick<ChannelAttempts['parts'][number], 'key' | 'hour' | 'day'> & {
  readonly last_failure: { readonly at: string; readonly status: number | null } | null;
};

/**
 * Whether the provider refuses a key: so its last failure was, and no attempt with it succeeded in the last hour; without any
 * attempt then, in the last 24 hours.
 */
export function isRefused(parts: readonly Part[], { hint }: Pick<ChannelKey, 'hint'>): boolean {
  const own = parts.filter(({ key }) => key === hint);
  const hours = own.map(({ hour }) => hour).filter(({ served, failed }) => served + failed > 0);
  const spans = hours.length > 0 ? hours : own.map(({ day }) => day);
  const last = own
    .flatMap(({ last_failure: failure }) => failure ?? [])
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
  return REFUSALS.has(last?.status) && spans.every(({ served }) => served === 0);
}
