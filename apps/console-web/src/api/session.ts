import { ApiError, readAnswer } from './answer.js';
import type { Session, ShownInvitation, SsoStart } from './console-api.js';
import type { BodyOf } from './routes.js';
import {
  askForSession,
  broadcastRenewal,
  markSession,
  onSessionRenewed,
  onSessionWanted,
  renewExclusively,
} from './share-session.js';

const STORAGE_KEY = 'model-gateway.session';
/** The access token with its end, in milliseconds since 1970, before it. */
const ACCESS_KEY = 'model-gateway.access';
/** An access token this near its end is renewed first: the request travels, and clocks differ. */
const RENEW_BEFORE_MS = 30_000;

/** Other tabs wait for this one. */
const ANSWERED_WITHIN_MS = 20_000;

let renewing: Promise<string> | undefined;
const listeners = new Set<() => void>();

onSessionRenewed(({ usedToken, answer }) => {
  if (sessionStorage.getItem(STORAGE_KEY) === usedToken) keep(answer);
});

onSessionWanted(() => {
  const refresh = sessionStorage.getItem(STORAGE_KEY);
  return refresh === null ? undefined : { refresh, access: sessionStorage.getItem(ACCESS_KEY) ?? '' };
});

/**
 * The session of this tab. Both tokens are in the tab's own storage, so that a reload stays signed in and renews nothing: a
 * page that is left while it renews never learns its new refresh token, and the old one is good once. A duplicated tab and
 * one that was opened beside another have the same tokens; when all are closed, none is left.
 */
export const session = {
  get isOpen(): boolean {
    return sessionStorage.getItem(STORAGE_KEY) !== null;
  },

  /** Calls the listener when the session opens or ends. @returns how to stop listening. */
  watch(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  /** Takes over the session of another tab, so that a link that is opened in a new one asks for no login. */
  async join(): Promise<void> {
    if (session.isOpen) return;
    const tokens = await askForSession();
    markSession(tokens !== undefined);
    if (!tokens) return;
    sessionStorage.setItem(ACCESS_KEY, tokens.access);
    sessionStorage.setItem(STORAGE_KEY, tokens.refresh);
  },

  /** @throws ApiError with `param` `code` where the password is right and the code of the second factor missing or wrong. */
  async open(email: string, password: string, code?: string): Promise<void> {
    keep(await post('/api/v1/auth/login', { email, password, code }));
  },

  /** Begins a single sign-on. @returns the issuer's address, which the browser goes to. */
  async startSso(): Promise<string> {
    const { url } = await post<SsoStart>('/api/v1/auth/sso/start', {});
    return url;
  },

  /** @param code that a single sign-on came back with. */
  async openBySso(code: string): Promise<void> {
    keep(await post('/api/v1/auth/sso/exchange', { code }));
  },

  /** What an invitation is to, for whoever has its secret. */
  lookAtInvitation(token: string): Promise<ShownInvitation> {
    return post<ShownInvitation>('/api/v1/invitations/look', { token });
  },

  /** Becomes a user by an invitation. */
  async openByInvitation(registration: BodyOf<'/api/v1/invitations/register', 'post'>): Promise<void> {
    keep(await post('/api/v1/invitations/register', registration));
  },

  /** Takes a session that the API opened in place of this one, such as after a change of password. */
  replace(answer: Session): void {
    keep(answer);
  },

  /** Forgets the session here; what it could do elsewhere ends by itself or by a logout. */
  end(): void {
    sessionStorage.removeItem(ACCESS_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    markSession(false);
    notifyListeners();
  },

  /** @throws ApiError when the session is over; it is forgotten then. */
  async findAccessToken(): Promise<string> {
    return findFreshToken() ?? session.renew();
  },

  /** One renewal at a time, however many requests and tabs wait for it. */
  renew(): Promise<string> {
    const held = sessionStorage.getItem(STORAGE_KEY);
    renewing ??= renewExclusively(() => renewOnce(held)).finally(() => (renewing = undefined));
    return renewing;
  },
};

function findFreshToken(): string | undefined {
  const [endsAtMs, text] = (sessionStorage.getItem(ACCESS_KEY) ?? '').split(' ');
  return Number(endsAtMs) - Date.now() < RENEW_BEFORE_MS ? undefined : text;
}

/** @param held the refresh token when the renewal was wanted: another now means that another tab has renewed it. */
async function renewOnce(held: string | null): Promise<string> {
  const refreshToken = sessionStorage.getItem(STORAGE_KEY);
  const renewed = refreshToken === held ? undefined : findFreshToken();
  if (renewed !== undefined) return renewed;
  try {
    if (refreshToken === null) throw new ApiError({ status: 401, code: 'unauthenticated', message: '' });
    const answer = await post('/api/v1/auth/refresh', { refresh_token: refreshToken });
    broadcastRenewal({ usedToken: refreshToken, answer });
    return keep(answer);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) session.end();
    throw error;
  }
}

function keep(answer: Session): string {
  const wasOpen = session.isOpen;
  const endsAtMs = Date.now() + answer.expires_in * 1_000;
  sessionStorage.setItem(ACCESS_KEY, `${endsAtMs} ${answer.access_token}`);
  sessionStorage.setItem(STORAGE_KEY, answer.refresh_token);
  markSession(true);
  if (!wasOpen) notifyListeners();
  return answer.access_token;
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

async function post<Answer = Session>(path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return readAnswer<Answer>(() =>
    fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    }),
  );
}
