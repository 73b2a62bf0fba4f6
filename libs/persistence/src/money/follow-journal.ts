import { type Follower, followNotifications } from '../notifications/follow-notifications.js';

/** Calls `written` at each commit that appends to the journal, and whenever the line is up again after a cut. */
export function followJournal(url: string, written: () => void, failed: (error: Error) => void): Follower {
  return followNotifications({
    url,
    applicationName: 'journal-follower',
    channels: ['journal_written'],
    notified: written,
    connected: written,
    failed,
  });
}
