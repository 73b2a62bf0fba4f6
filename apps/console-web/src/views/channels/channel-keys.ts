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
