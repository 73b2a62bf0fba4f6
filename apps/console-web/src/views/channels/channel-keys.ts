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

/** `earlier`: whether the provider still refuses the key is not known. */
type Refusal = 'now' | 'earlier' | 'none';

/**
 * Whether the provider refuses a key: its last failure in 24 hours was a refusal, and no attempt with it succeeded in the last
 * hour. Successes before that hour may be older than the refusal. After a 401 they do not count where an attempt in that hour
 * failed; a 403 may be about one model only, so there they do.
 */
export function findRefusal(parts: readonly Part[], { hint }: Pick<ChannelKey, 'hint'>): Refusal {
  const own = parts.filter(({ key }) => key === hint);
  const last = own
    .flatMap(({ last_failure: failure }) => failure ?? [])
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))[0];
  const servedInHour = own.some(({ hour }) => hour.served > 0);
  if (!REFUSALS.has(last?.status) || servedInHour) return 'none';
  const triedInHour = own.some(({ hour }) => hour.failed > 0);
  const servedInDay = own.some(({ day }) => day.served > 0);
  return (last?.status === 401 && triedInHour) || !servedInDay ? 'now' : 'earlier';
}
