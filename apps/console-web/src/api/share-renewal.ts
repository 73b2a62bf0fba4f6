import type { SessionAnswer } from './session.js';

const NAME = 'model-gateway.renewal';
/** Long enough for a message to come from another tab, and unnoticed where none comes. */
const HEAR_WITHIN_MS = 500;

/** What a tab tells the others: the refresh token that it used, and what came of it. */
interface Renewal {
  readonly usedToken: string;
  readonly answer: SessionAnswer;
}

/** A duplicated tab has the same refresh token, which is good once: tabs renew one after the other and tell what they got. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);

export function tellRenewal(renewal: Renewal): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  channel?.postMessage(renewal);
}

export function hearRenewals(listener: (renewal: Renewal) => void): void {
  channel?.addEventListener('message', (event: MessageEvent<Renewal>) => listener(event.data));
}

/**
 * Runs a renewal while no other tab does. One that had to wait hears first what the other got. Browsers have locks over HTTPS
 * and on their own machine only; elsewhere the server tells tabs that ask at once the same.
 */
export async function renewAlone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const { locks } = navigator;
  if (!('locks' in navigator)) return work();
  const free = await locks.request(NAME, { ifAvailable: true }, async (lock) =>
    lock === null ? undefined : { answer: await work() },
  );
  if (free) return free.answer;
  const heard = hearOne();
  return locks.request(NAME, async () => {
    await heard;
    return work();
  });
}

function hearOne(): Promise<void> {
  return new Promise((resolve) => {
    channel?.addEventListener('message', () => resolve(), { once: true });
    setTimeout(resolve, HEAR_WITHIN_MS);
  });
}
