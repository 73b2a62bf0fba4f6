import { refuse, sha256 } from '@mg/contract';
import { type AttemptWindow, ConsoleStore } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';

/** Wrong passwords from a device that its user has signed in from before. */
const KNOWN_DEVICE: AttemptWindow = { attempts: 10, seconds: 5 * 60 };
/** Attempts from unknown devices from one address, whatever account they try. */
const ADDRESS: AttemptWindow = { attempts: 100, seconds: 5 * 60 };
/** Attempts from unknown devices at one account from wherever, except from addresses that its user has a session from. */
const ACCOUNT: AttemptWindow = { attempts: 30, seconds: 5 * 60 };
/** Attempts of one address at one account before each further one has to wait, twice as long as the one before. */
const PAIR: AttemptWindow = { attempts: 5, seconds: 15 * 60 };
/** Wrong guesses of somebody who is signed in. */
const SIGNED_IN: AttemptWindow = { attempts: 10, seconds: 5 * 60 };

/** Wrong codes of a user's second factor from a device: a third of a million guesses would find one. */
const CODE: AttemptWindow = { attempts: 10, seconds: 60 * 60 };

/** Single sign-ons that begin at one address, whoever they are of. */
const SSO: AttemptWindow = { attempts: 100, seconds: 5 * 60 };

/** Links of invitations that one address tries before each further one has to wait, twice as long as the one before. */
const INVITATION: AttemptWindow = { attempts: 10, seconds: 15 * 60 };

/** What somebody who is signed in may guess at. */
type SignedInGuess = 'password' | 'redemption code';

/** Somebody who wants to sign in. */
export interface LoginAttempt {
  /** What was typed as e-mail address. */
  readonly account: string;
  readonly address: string;
  /** Id of the device, where the account's user has signed in from it before. */
  readonly deviceId: string | undefined;
  /** Whether the account's user has a session from this address. */
  readonly isKnownAddress: boolean;
}

/**
 * Slows down who guesses passwords, over all consoles, without shutting out whose password it is: attempts from unknown devices
 * never count against a device that the user has signed in from before. An attempt is counted before its outcome is known,
 * so that parallel ones cannot slip through together; a success gives its own back.
 */
@Injectable()
export class LoginLimits {
  constructor(private readonly store: ConsoleStore) {}

  /** @throws GatewayError `rate_limited` when the attempt comes too soon or has none left. */
  async count(attempt: LoginAttempt): Promise<void> {
    const { attempts } = this.store;
    if (attempt.deviceId !== undefined) {
      return refuseEarly(await attempts.count(keyOf('device', attempt.deviceId), KNOWN_DEVICE));
    }
    // First, so that what is refused here counts against nobody else at the address.
    refuseEarly(await attempts.countWithBackoff(pairKey(attempt), PAIR));
    refuseEarly(await attempts.count(keyOf('address', attempt.address), ADDRESS));
    if (attempt.isKnownAddress) return;
    refuseEarly(await attempts.count(keyOf('account', attempt.account), ACCOUNT));
  }

  /** The attempt was its user's: it counts against nobody. */
  async giveBack(attempt: LoginAttempt): Promise<void> {
    const { attempts } = this.store;
    if (attempt.deviceId !== undefined) return attempts.giveBack(keyOf('device', attempt.deviceId));
    await attempts.forget(pairKey(attempt));
    await attempts.giveBack(keyOf('address', attempt.address));
    if (!attempt.isKnownAddress) await attempts.giveBack(keyOf('account', attempt.account));
  }

  /** The password was right, and a code is still to come: takes back this attempt, and none before it. */
  async takeBack(attempt: LoginAttempt): Promise<void> {
    const { attempts } = this.store;
    if (attempt.deviceId !== undefined) return attempts.giveBack(keyOf('device', attempt.deviceId));
    await attempts.giveBack(pairKey(attempt));
    await attempts.giveBack(keyOf('address', attempt.address));
    if (!attempt.isKnownAddress) await attempts.giveBack(keyOf('account', attempt.account));
  }

  /**
   * Counts a code of a user, whose password was right. Known devices are counted apart, so that whoever has the password
   * shuts nobody out there.
   *
   * @param device id of a known device.
   * @throws GatewayError `rate_limited`
   */
  async countCode(userId: string, device: string | undefined): Promise<void> {
    refuseEarly(await this.store.attempts.count(codeKey(userId, device), CODE));
  }

  /** The code was right. */
  async giveBackCode(userId: string, device: string | undefined): Promise<void> {
    await this.store.attempts.giveBack(codeKey(userId, device));
  }

  /** Counts a single sign-on that begins at an address. @throws GatewayError `rate_limited` */
  async countSso(address: string): Promise<void> {
    refuseEarly(await this.store.attempts.count(keyOf('sso', address), SSO));
  }

  /** Counts a link of an invitation that an address tries. @throws GatewayError `rate_limited` */
  async countInvitation(address: string): Promise<void> {
    refuseEarly(await this.store.attempts.countWithBackoff(keyOf('invitation', address), INVITATION));
  }

  /** The link was good. */
  async giveBackInvitation(address: string): Promise<void> {
    await this.store.attempts.giveBack(keyOf('invitation', address));
  }

  /** Counts a guess of somebody who is signed in. @throws GatewayError `rate_limited` */
  async countGuess(what: SignedInGuess, userId: string): Promise<void> {
    refuseEarly(await this.store.attempts.count(keyOf(what, userId), SIGNED_IN));
  }

  /** The guess was right. */
  async giveBackGuess(what: SignedInGuess, userId: string): Promise<void> {
    await this.store.attempts.giveBack(keyOf(what, userId));
  }
}

function refuseEarly(retryAfter: number | undefined): void {
  if (retryAfter === undefined) return;
  throw refuse('rate_limited', 'too_many_attempts', { retryAfter, values: [retryAfter] });
}

function pairKey({ account, address }: LoginAttempt): string {
  return keyOf('pair', JSON.stringify([account, address]));
}

function codeKey(userId: string, device = 'unknown'): string {
  return keyOf('code', JSON.stringify([userId, device]));
}

/** Hashed: what people type into a login form is not always an address. */
function keyOf(kind: string, text: string): string {
  return sha256(`${kind} ${text}`);
}
