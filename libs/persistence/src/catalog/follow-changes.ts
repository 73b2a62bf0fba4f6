import { REPLY_CHANNEL } from '../idempotency/idempotent-replies.js';
import { HEALTH_CHANNEL } from '../notifications/announce-health.js';
import { type Follower, followNotifications } from '../notifications/follow-notifications.js';

export interface ChangeReader {
  /** Channels, models or prices changed: read the catalog again. */
  catalogChanged(): void;
  /** The token of this key hash changed: forget it. */
  tokenChanged(keyHash: string): void;
  /** The first call of this Idempotency-Key has ended, by its name in announcements. */
  replyEnded?(name: string): void;
  /** Leases of this wallet are to be given back. */
  leasesRecalled?(walletId: string): void;
  /** The health of a channel changed at another gateway. */
  healthChanged?(payload: string): void;
  /** The line is up, for the first time or again: anything may have changed while nobody listened. */
  connected(): void;
  failed(error: Error): void;
}

/** Follows what the database announces to gateways at each commit: changes of configuration, and ends of calls with a key. */
export function followChanges(url: string, reader: ChangeReader): Follower {
  return followNotifications({
    url,
    applicationName: 'catalog-changes',
    channels: [
      'catalog_changed',
      'token_changed',
      ...(reader.replyEnded ? [REPLY_CHANNEL] : []),
      ...(reader.leasesRecalled ? ['lease_recalled'] : []),
      ...(reader.healthChanged ? [HEALTH_CHANNEL] : []),
    ],
    notified: (channel, payload) => {
      if (channel === 'token_changed') reader.tokenChanged(payload);
      else if (channel === REPLY_CHANNEL) reader.replyEnded?.(payload);
      else if (channel === 'lease_recalled') reader.leasesRecalled?.(payload);
      else if (channel === HEALTH_CHANNEL) reader.healthChanged?.(payload);
      else reader.catalogChanged();
    },
    connected: () => reader.connected(),
    failed: (error) => reader.failed(error),
  });
}
