import type { Session } from './console-api.js';

const NAME = 'model-gateway.renewal';
/** In the storage of all tabs while one of them may have a session: without it a new tab need not ask. */
const OPEN_KEY = 'model-gateway.open';
/** Long enough for a message to come from another tab, and unnoticed where none comes. */
const BROADCAST_WITHIN_MS = 500;
/** A tab that is busy answers later; nobody waits where none was signed in. */
const ANSWERED_WITHIN_MS = 1_000;

/** The refresh token that a tab used, and the session it got. */
interface Renewal {
  readonly usedToken: string;
  readonly answer: Session;
}

/** Both tokens as a tab stores them. */
export interface HeldTokens {
  readonly refresh: string;
  readonly access: string;
}

/** What tabs tell each other. */
type Message =
  | ({ readonly kind: 'renewed' } & Renewal)
  | { readonly kind: 'wanted' }
  | ({ readonly kind: 'held' } & HeldTokens);

/** Tabs of one session have the same refresh token, which is good once: they renew in turn and broadcast what they got. */
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);

function broadcast(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  channel?.postMessage(message);
}

/** @returns how to stop listening. */
function listen(listener: (message: Message) => void): () => void {
  const onMessage = ({ data }: MessageEvent<Message>) => listener(data);
  channel?.addEventListener('message', onMessage);
  return () => channel?.removeEventListener('message', onMessage);
}

export function broadcastRenewal(renewal: Renewal): void {
  broadcast({ kind: 'renewed', ...renewal });
}

export function onSessionRenewed(listener: (renewal: Renewal) => void): void {
  listen((message) => message.kind === 'renewed' && listener(message));
}

/** Lets tabs that are opened later know that there may be a session. */
export function markSession(isOpen: boolean): void {
  if (isOpen) localStorage.setItem(OPEN_KEY, 'true');
  else localStorage.removeItem(OPEN_KEY);
}

/** Lets new tabs have the session of this one. */
export function onSessionWanted(readTokens: () => HeldTokens | undefined): void {
  listen((message) => {
    const tokens = message.kind === 'wanted' ? readTokens() : undefined;
    if (tokens) broadcast({ kind: 'held', ...tokens });
  });
}

/** The session of another tab, where one has any. */
export async function askForSession(): Promise<HeldTokens | undefined> {
  if (channel === undefined || localStorage.getItem(OPEN_KEY) === null) return undefined;
  const renewals = new Map<string, Session>();
  const held = await new Promise<HeldTokens | undefined>((resolve) => {
    const stop = listen((message) => {
      if (message.kind === 'renewed') renewals.set(message.usedToken, message.answer);
      if (message.kind === 'held') finish(message);
    });
    const finish = (tokens?: HeldTokens) => {
      stop();
      resolve(tokens);
    };
    setTimeout(finish, ANSWERED_WITHIN_MS);
    broadcast({ kind: 'wanted' });
  });
  // One tab may have renewed what another one gave away meanwhile.
  const renewed = held && renewals.get(held.refresh);
  return renewed ? { refresh: renewed.refresh_token, access: '' } : held;
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
  const told = waitForRenewal();
  return locks.request(NAME, async () => {
    await told;
    return work();
  });
}

function waitForRenewal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = listen(({ kind }) => kind === 'renewed' && finish());
    const finish = () => {
      stop();
      resolve();
    };
    setTimeout(finish, BROADCAST_WITHIN_MS);
  });
}
