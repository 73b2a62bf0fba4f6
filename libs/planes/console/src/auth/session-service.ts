import { GatewayError } from '@mg/contract';
import { ConsoleStore, type UserRow } from '@mg/persistence';
import { Injectable } from '@nestjs/common';
import { AttemptLimit } from './attempt-limit.js';
import { hashPassword, verifyPassword } from './password-hash.js';
import { type SessionAnswer, SessionTokens } from './session-tokens.js';

const WINDOW_MS = 5 * 60_000;
const ACCOUNT_ATTEMPTS = 10;
const ADDRESS_ATTEMPTS = 100;

/** Starts, renews and ends Console sessions. */
@Injectable()
export class SessionService {
  readonly #byAccount = new AttemptLimit({ attempts: ACCOUNT_ATTEMPTS, windowMs: WINDOW_MS });
  readonly #byAddress = new AttemptLimit({ attempts: ADDRESS_ATTEMPTS, windowMs: WINDOW_MS });
  /** Compared against when there is no such user, so that the answer takes as long. */
  readonly #nobodysHash = hashPassword('nobody has this password');

  constructor(
    private readonly store: ConsoleStore,
    private readonly sessions: SessionTokens,
  ) {}

  /**
   * Opens a session for an e-mail address and password.
   *
   * @param address the client's, for the limit on failed attempts.
   * @throws GatewayError `unauthenticated`, the same for an unknown user, a wrong password and a disabled user; `rate_limited`.
   */
  async login(email: string, password: string, address: string): Promise<SessionAnswer> {
    this.#countAttempt(email, address);
    const user = await this.store.users.findByEmail(email);
    const matches = await verifyPassword(password, user?.passwordHash ?? (await this.#nobodysHash));
    if (!user || !matches || user.disabled) {
      throw new GatewayError('unauthenticated', 'The e-mail address or the password is wrong.');
    }
    this.#byAccount.giveBack(email);
    this.#byAddress.giveBack(address);
    return this.#open(user);
  }

  /** @throws GatewayError `unauthenticated` when the refresh token is not alive. */
  async refresh(refreshToken: string): Promise<SessionAnswer> {
    const claim = await this.sessions.read('refresh', refreshToken);
    const user = claim && (await this.store.users.findById(claim.userId));
    if (!user || user.disabled || user.tokenVersion !== claim?.tokenVersion) {
      throw new GatewayError('unauthenticated', 'Sign in again: the session is over.');
    }
    return this.#open(user);
  }

  /** Ends every session of a user. */
  async logout(userId: string): Promise<void> {
    await this.store.users.update(userId, { endSessions: true });
  }

  /**
   * Changes a user's own password, ends their other sessions and opens a new one.
   *
   * @throws GatewayError `invalid_request` when the current password is wrong; `rate_limited`.
   */
  async changePassword(
    userId: string,
    currentPassword: string,
    newPassword: string,
    address: string,
  ): Promise<SessionAnswer> {
    const user = await this.#find(userId);
    this.#countAttempt(user.email, address);
    if (!(await verifyPassword(currentPassword, user.passwordHash))) {
      throw new GatewayError('invalid_request', 'current_password: is wrong.', { param: 'current_password' });
    }
    this.#byAccount.giveBack(user.email);
    this.#byAddress.giveBack(address);
    await this.store.users.update(userId, {
      passwordHash: await hashPassword(newPassword),
      endSessions: true,
    });
    return this.#open(await this.#find(userId));
  }

  async #find(userId: string): Promise<UserRow> {
    const user = await this.store.users.findById(userId);
    if (!user) throw new GatewayError('unauthenticated', 'Sign in again: the session is over.');
    return user;
  }

  #open(user: UserRow): Promise<SessionAnswer> {
    return this.sessions.open({ userId: user.id, tokenVersion: user.tokenVersion });
  }

  #countAttempt(account: string, address: string): void {
    const retryAfter = this.#byAddress.count(address) ?? this.#byAccount.count(account);
    if (retryAfter === undefined) return;
    throw new GatewayError('rate_limited', `Too many attempts: try again in ${retryAfter} s.`, {
      retryAfter,
    });
  }
}
