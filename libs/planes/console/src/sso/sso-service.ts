import { GatewayError, refuse, sha256 } from '@mg/contract';
import { ConsoleStore, type SsoLogin, type SsoTicket, toDatabaseError } from '@mg/persistence/console';
import { Injectable, Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { LoginLimits } from '../auth/login-limits.js';
import { SessionService } from '../auth/session-service.js';
import type { SessionAnswer } from '../auth/session-tokens.js';
import type { Caller, Origin } from '../http/caller.js';
import { findSsoCookie, writeSsoCookie } from './sso-cookies.js';
import { SsoIssuer } from './sso-issuer.js';
import { SsoRefusal } from './sso-refusal.js';
import type { SsoSettings } from './sso-settings.js';
import { SsoUsers } from './sso-users.js';

/** How long somebody may take at the issuer. */
const LOGIN_SECONDS = 600;
/** The page comes for its session at once. */
const HANDOVER_SECONDS = 60;
const SECRET_BYTES = 32;

/** What a browser is told. */
export interface SsoStep {
  /** Where it goes next. */
  readonly url: string;
  readonly cookies: string[];
}

/** Signs users of the Console in through an OpenID Connect issuer (authorization code with PKCE). */
@Injectable()
export class SsoService {
  readonly #log = new Logger('sso');

  constructor(
    private readonly store: ConsoleStore,
    private readonly issuer: SsoIssuer,
    private readonly users: SsoUsers,
    private readonly limits: LoginLimits,
    private readonly sessions: SessionService,
  ) {}

  /**
   * Begins a sign-in of a browser.
   *
   * @throws GatewayError `not_found` where it is off; `rate_limited`; `service_unavailable` when the issuer does not answer.
   */
  async start(origin: Origin, linker: SsoLogin['linker'] = null): Promise<SsoStep> {
    const settings = this.#requireSettings();
    await this.limits.countSso(origin.address);
    const [state, browser, nonce, codeVerifier] = [makeSecret(), makeSecret(), makeSecret(), makeSecret()];
    const checks = { nonce, codeVerifier };
    const url = await this.issuer.buildUrl(settings, state, checks).catch((error: unknown) => {
      this.#log.warn(`The issuer of single sign-on cannot be used: ${describe(error)}`);
      throw refuse('service_unavailable', 'sso_silent');
    });
    await this.store.sso.beginLogin(toTicket(state, browser), { ...checks, linker }, LOGIN_SECONDS);
    return { url, cookies: [writeSsoCookie(state, browser, LOGIN_SECONDS, isSecure(settings))] };
  }

  /**
   * Begins to link whoever is signed in, administrators too, to who they are at the issuer.
   *
   * @throws GatewayError as `start`, and `invalid_request` when the password or the code of a second factor is wrong.
   */
  async startLink(caller: Caller, password: string, code: string | undefined): Promise<SsoStep> {
    this.#requireSettings();
    await this.sessions.checkPasswordAndCode(caller, password, code);
    return this.start(caller, { userId: caller.id, sessionId: caller.sessionId });
  }

  /** Takes a browser back from the issuer, and sends it to the page with a code for a session or the reason for none. */
  async finish(query: URLSearchParams, cookies: string | undefined, origin: Origin): Promise<SsoStep> {
    const settings = this.#requireSettings();
    const state = query.get('state') ?? '';
    const forget = writeSsoCookie(state, '', 0, isSecure(settings));
    try {
      const browser = findSsoCookie(state, cookies, isSecure(settings));
      const login = await this.store.sso.takeLogin(toTicket(state, browser));
      if (!login) throw new SsoRefusal('expired', 'The sign-in is over, used or of another browser.');
      const claims = await this.issuer.readClaims(settings, query, login);
      const userId = await this.users.find(claims, origin, login.linker);
      const [code, next] = [makeSecret(), makeSecret()];
      await this.store.sso.beginHandover(toTicket(code, next), userId, HANDOVER_SECONDS);
      const remember = writeSsoCookie(code, next, HANDOVER_SECONDS, isSecure(settings));
      return { url: `/login?sso=${code}`, cookies: [forget, remember] };
    } catch (error) {
      const reason = toReason(error);
      this.#log.warn(`Single sign-on of request ${origin.requestId} ended (${reason}): ${describe(error)}`);
      return { url: `/login?sso_error=${reason}`, cookies: [forget] };
    }
  }

  /**
   * Opens the session that a code was made for.
   *
   * @throws GatewayError `unauthenticated` when the code is unknown, over, used or another browser's, or its user disabled.
   */
  async open(
    code: string,
    cookies: string | undefined,
    origin: Origin,
  ): Promise<{ readonly answer: SessionAnswer; readonly cookie: string }> {
    const settings = this.#requireSettings();
    const browser = findSsoCookie(code, cookies, isSecure(settings));
    const answer = await this.store.transaction(async (store) => {
      const userId = await store.sso.takeHandover(toTicket(code, browser));
      const user = userId === undefined ? null : await store.users.findShared(userId);
      return user && !user.disabled ? this.sessions.open(store, user, origin, 'sso') : undefined;
    });
    if (!answer) {
      throw refuse('unauthenticated', 'sso_over');
    }
    return { answer, cookie: writeSsoCookie(code, '', 0, isSecure(settings)) };
  }

  #requireSettings(): SsoSettings {
    if (this.issuer.settings) return this.issuer.settings;
    throw refuse('not_found', 'sso_not_set_up');
  }
}

function makeSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function toTicket(secret: string, browser: string): SsoTicket {
  return { hash: sha256(secret), browserHash: sha256(browser) };
}

/** By the Console's own address, which the operator names: not by what a request says. */
function isSecure({ redirectUrl }: SsoSettings): boolean {
  return redirectUrl.startsWith('https:');
}

function toReason(error: unknown): SsoRefusal['reason'] {
  if (error instanceof SsoRefusal) return error.reason;
  const isAway = error instanceof GatewayError && error.status === 503;
  return isAway || toDatabaseError(error) ? 'unavailable' : 'failed';
}

/** For the log of operators: codes of the issuer and of the library, never a token. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { error: issuerCode, code } = error as { error?: unknown; code?: unknown };
  const codes = [issuerCode, code].filter((part) => typeof part === 'string');
  return [error.message, ...codes].join(', ');
}
