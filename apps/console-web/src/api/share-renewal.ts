import type { Session } from './console-api.js';

const NAME = 'model-gateway.renewal';
/** Long enough for a message to come from another tab, and unnoticed where none comes. */
const BROADCAST_WITHIN_MS = 500;

/** What a tab broadcasts to the others: the refresh token that it used, and the session it got. */
interface Renewal {
  readonly usedToken: string;
  readonly answer: Session;
}

/** A duplicated tab has the same refresh token, which is good once: tabs renew one after the other and broadcast what they got. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);

export function broadcastRenewal(renewal: Renewal): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  channel?.postMessage(renewal);
}

export function onSessionRenewed(listener: (renewal: Renewal) => void): void {
  channel?.addEventListener('message', (event: MessageEvent<Renewal>) => listener(event.data));
}

/**
 * Runs a renewal while no other tab does. One that had to wait receives first what the other got. Browsers have locks over HTTPS
 * and on their own machine only; elsewhere the server tells tabs that ask at once the same.
 */
export async function renewExclusively<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const { locks } = navigator;
  if (!('locks' in navigator)) return work();
  const free = await locks.request(NAME, { ifAvailable: true }, async (lock) =>
    lock === null ? undefined : { answer: await work() },
  );
  if (free) return free.answer;
  const broadcast = waitForBroadcast();
  return locks.request(NAME, async () => {
    await broadcast;
    return work();
  });
}

function waitForBroadcast(): Promise<void> {
  return new Promise((resolve) => {
    channel?.addEventListener('message', () => resolve(), { once: true });
    setTimeout(resolve, BROADCAST_WITHIN_MS);
  });
}
