import { type Follower, followNotifications } from '../notifications/follow-notifications.js';

export interface ChangeReader {
  /** Channels, models or prices changed: read the catalog again. */
  catalogChanged(): void;
  /** The token of this key hash changed: forget it. */
  tokenChanged(keyHash: string): void;
  /** The line is up, for the first time or again: anything may have changed while nobody listened. */
  connected(): void;
  failed(error: Error): void;
}

/** Follows the changes of configuration that the database announces at each commit. */
export function followChanges(url: string, reader: ChangeReader): Follower {
  return followNotifications({
    url,
    applicationName: 'catalog-changes',
    channels: ['catalog_changed', 'token_changed'],
    notified: (channel, payload) => {
      if (channel === 'token_changed') reader.tokenChanged(payload);
      else reader.catalogChanged();
    },
    connected: () => reader.connected(),
    failed: (error) => reader.failed(error),
  });
}
