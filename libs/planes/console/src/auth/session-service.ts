import { newId, refuse, sha256 } from '@mg/contract';
import { ConsoleStore, type LockedSession, type UserRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller, Origin } from '../http/caller.js';
import { DeviceTokens } from './device-tokens.js';
import { type LoginAttempt, LoginLimits } from './login-limits.js';
import { PasswordHasher, verifyPassword } from './password-hash.js';
import { missingCode, SecondFactor } from './second-factor.js';
import { REFRESH_SECONDS, type SessionAnswer, type SessionClaim, SessionTokens } from './session-tokens.js';

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the second factor. */
  readonly code?: string | undefined;
}

/** What somebody signs in with. */
interface Browser {
  readonly origin: Origin;
  /** The `Cookie` header. */
  readonly cookies: string | undefined;
  /** Whether the browser speaks HTTPS, as far as a trusted proxy says. */
  readonly isSecure: boolean;
}

/** An id that no user has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Starts, renews and ends Console sessions. */
@Injectable()
export class SessionService {
  constructor(
    private readonly store: ConsoleStore,
    private readonly tokens: SessionTokens,
    private readonly devices: DeviceTokens,
    private readonly limits: LoginLimits,
    private readonly factor: SecondFactor,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * Opens a session for an e-mail address and password, and a code where the user has a second factor, and returns the
   * cookie that its browser is recognized by.
   *
   * @throws GatewayError `unauthenticated`, the same for an unknown user, a wrong password and a disabled user, and with
   *   `param` `code` where the password is right and the code is missing or wrong; `rate_limited`.
   */
  async login(
    { email, password, code }: Credentials,
    browser: Browser,
  ): Promise<{ readonly answer: SessionAnswer; readonly deviceCookie: string }> {
    const { origin, isSecure } = browser;
    const user = await this.store.users.findByEmail(email);
    const attempt = await this.#describeAttempt(email, user, browser);
    await this.limits.count(attempt);
    // Compared also where there is no such user, so that the answer takes as long.
    const matches = await verifyPassword(password, user?.passwordHash ?? this.passwords.nobodys);
    if (!user || !matches || user.disabled) {
      throw refuse('unauthenticated', 'login_wrong');
    }
    const answer = await this.#openWithFactor(user, code, attempt, origin);
    await this.limits.giveBack(attempt);
    return { answer, deviceCookie: await this.devices.remember(user.id, attempt.deviceId, isSecure) };
  }

  /**
   * Renews a session. A refresh token is good once: one that comes again after it was answered is held by two clients, and
   * its session ends for both.
   *
   * @throws GatewayError `unauthenticated` when the refresh token is not the session's present one.
   */
  async refresh(refreshToken: string, origin: Origin): Promise<SessionAnswer> {
    const claim = await this.tokens.read('refresh', refreshToken);
    const user = claim && (await this.store.users.findById(claim.userId));
    const answer =
      claim && user && !user.disabled && user.tokenVersion === claim.tokenVersion
        ? await this.store.transaction((store) => this.#renew(store, user, claim, refreshToken, origin))
        : undefined;
    if (!answer) throw refuse('unauthenticated', 'session_over');
    return answer;
  }

  /** Ends the caller's session; their others go on. */
  async logout(caller: Caller): Promise<void> {
    await this.store.transaction(async (store) => {
      await store.sessions.end(caller.sessionId);
      await recordChange(store, caller, { action: 'session.end', targetId: caller.sessionId });
    });
  }

  /**
   * Changes a user's own password, ends all their sessions and opens a new one.
   *
   * @throws GatewayError `invalid_request` when the current password is wrong; `rate_limited`.
   */
  async changePassword(caller: Caller, currentPassword: string, newPassword: string): Promise<SessionAnswer> {
    const user = await this.checkPassword(caller, currentPassword);
    const passwordHash = await this.passwords.hash(newPassword);
    return this.store.transaction(async (store) => {
      await store.users.update(user.id, { passwordHash, endSessions: true });
      await recordChange(store, caller, { action: 'user.change_password', targetId: user.id });
      return this.open(store, await findUser(store, user.id), caller);
    });
  }

  /**
   * Asks somebody who is signed in for their password once more.
   *
   * @throws GatewayError `invalid_request` when it is wrong; `rate_limited`.
   */
  async checkPassword(caller: Caller, password: string): Promise<UserRow> {
    const user = await findUser(this.store, caller.id);
    await this.limits.countGuess('password', user.id);
    if (!(await verifyPassword(password, user.passwordHash))) {
      throw refuse('invalid_request', 'password_wrong', { param: 'current_password' });
    }
    await this.limits.giveBackGuess('password', user.id);
    return user;
  }

  /**
   * Asks somebody who is signed in for their password once more, and for a code where they have a second factor.
   *
   * @throws GatewayError `invalid_request` when either is wrong or the code is missing; `rate_limited`.
   */
  async checkPasswordAndCode(caller: Caller, password: string, code: string | undefined): Promise<void> {
    const user = await this.checkPassword(caller, password);
    const guess = { user: caller, device: 'signed in', refusal: 'invalid_request' } as const;
    const verdict = await this.factor.withCode(guess, code, (store) =>
      this.factor.check(store, user, code, caller),
    );
    if (verdict === 'missing') throw missingCode('invalid_request');
  }

  /**
   * Opens a session for a user whose password was right. One whose row was read before their second factor was set up, or
   * their password changed, gets a session that is over already: it bears the `tokenVersion` of then.
   */
  async #openWithFactor(
    user: UserRow,
    code: string | undefined,
    attempt: LoginAttempt,
    origin: Origin,
  ): Promise<SessionAnswer> {
    const actor = { ...user, ...origin };
    const guess = { user: actor, device: attempt.deviceId, refusal: 'unauthenticated' } as const;
    const outcome = await this.factor.withCode(guess, code, async (store) => {
      const verdict = await this.factor.check(store, user, code, actor);
      return verdict === 'passed' ? this.open(store, user, origin) : verdict;
    });
    if (outcome === 'missing') {
      await this.limits.takeBack(attempt);
      throw missingCode('unauthenticated');
    }
    return outcome;
  }

  /** As much work for an unknown user as for a known one, so that the response time reveals nothing. */
  async #describeAttempt(
    account: string,
    user: UserRow | null | undefined,
    { origin: { address }, cookies }: Browser,
  ): Promise<LoginAttempt> {
    const userId = user?.id ?? NOBODY;
    const [deviceId, isKnownAddress] = await Promise.all([
      this.devices.find(userId, cookies),
      this.store.sessions.isKnownAddress(userId, address),
    ]);
    return { account, address, deviceId, isKnownAddress };
  }

  /**
   * Opens a session for a user who has shown everything that it takes, in the transaction of the store.
   *
   * @param by what it was shown to, where that is not the Console.
   */
  async open(store: ConsoleStore, user: UserRow, origin: Origin, by?: 'sso'): Promise<SessionAnswer> {
    const sessionId = newId();
    const answer = await this.tokens.open({
      userId: user.id,
      sessionId,
      tokenVersion: user.tokenVersion,
    });
    await store.sessions.insert({
      id: sessionId,
      userId: user.id,
      refreshHash: sha256(answer.refresh_token),
      address: origin.address,
      lifeSeconds: REFRESH_SECONDS,
    });
    await recordChange(
      store,
      { ...user, ...origin },
      { action: 'session.start', targetId: sessionId, after: by && { by } },
    );
    return answer;
  }

  /** Answers nothing when the session is over; a token that was used before ends it. */
  async #renew(
    store: ConsoleStore,
    user: UserRow,
    claim: SessionClaim,
    refreshToken: string,
    origin: Origin,
  ): Promise<SessionAnswer | undefined> {
    const session = await store.sessions.findOpenLocked(claim.sessionId);
    if (session?.userId !== user.id) return undefined;
    if (session.refreshHash !== sha256(refreshToken)) {
      const repeated = await this.#repeatRenewal(session, claim, refreshToken);
      if (repeated) return repeated;
      await store.sessions.end(session.id);
      await recordChange(
        store,
        { ...user, ...origin },
        { action: 'session.end_by_reuse', targetId: session.id },
      );
      return undefined;
    }
    const answer = await this.tokens.succeed(refreshToken, claim, session.nowSeconds);
    const expiresAtSeconds = session.nowSeconds + REFRESH_SECONDS;
    await store.sessions.renew(session.id, sha256(answer.refresh_token), expiresAtSeconds);
    return answer;
  }

  /**
   * Two tabs that ask at once with the same token count as one client: the second receives the same successor. A
   * request that comes after the first was answered does not.
   */
  async #repeatRenewal(
    session: LockedSession,
    claim: SessionClaim,
    refreshToken: string,
  ): Promise<SessionAnswer | undefined> {
    if (!session.wasBusy) return undefined;
    const issuedAt = session.expiresAtSeconds - REFRESH_SECONDS;
    const answer = await this.tokens.succeed(refreshToken, claim, issuedAt);
    return sha256(answer.refresh_token) === session.refreshHash ? answer : undefined;
  }
}

async function findUser(store: ConsoleStore, userId: string): Promise<UserRow> {
  const user = await store.users.findById(userId);
  if (!user) throw refuse('unauthenticated', 'session_over');
  return user;
}
