import { GatewayError } from '@mg/contract';
import type { ConsoleStore, UserRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { type Actor, recordChange } from '../audit/record-change.js';
import { hashRecoveryCode } from './recovery-codes.js';
import { TotpCodes } from './totp-codes.js';

/** What is known of somebody whose password was right. */
export type FactorVerdict = 'passed' | 'missing' | 'refused';

const CODE_OF_AN_APP = /^\d{6}$/;

/** Looks at the codes of users' second factors. */
@Injectable()
export class SecondFactor {
  constructor(private readonly codes: TotpCodes) {}

  /**
   * Whether a user has shown their second factor, if they have one. A code that is right is used up, in the transaction of
   * the store: of two requests with one code the second waits for the first and is refused.
   *
   * @param code of the authenticator app, or a recovery code.
   */
  async check(
    store: ConsoleStore,
    user: UserRow,
    code: string | undefined,
    actor: Actor,
  ): Promise<FactorVerdict> {
    const totp = await store.totp.findLocked(user.id);
    if (totp?.isEnabled !== true) return 'passed';
    if (code === undefined) return 'missing';
    const plain = code.replaceAll(/\s/g, '');
    const isRight = CODE_OF_AN_APP.test(plain)
      ? await this.takeStep(store, user.id, totp.sealed, plain)
      : await takeRecoveryCode(store, user.id, plain, actor);
    return isRight ? 'passed' : 'refused';
  }

  /** Whether it is a code of the secret, of a later step than every code before. */
  async takeStep(store: ConsoleStore, userId: string, sealed: string, code: string): Promise<boolean> {
    const step = this.codes.findStep(userId, sealed, code);
    return step !== undefined && (await store.totp.takeStep(userId, step));
  }
}

/** Writes a wrong code down; apart from what was tried with it, which did not take place. */
export function recordRefusedCode(store: ConsoleStore, actor: Actor, userId: string): Promise<void> {
  return recordChange(store, actor, { action: 'user.refuse_code', targetId: userId });
}

/** @param code of the login or of a change that needs one. */
export function wrongCode(code: 'unauthenticated' | 'invalid_request'): GatewayError {
  return new GatewayError(code, 'code: is wrong or was used already.', { param: 'code' });
}

async function takeRecoveryCode(
  store: ConsoleStore,
  userId: string,
  code: string,
  actor: Actor,
): Promise<boolean> {
  if (!(await store.totp.takeRecoveryCode(userId, hashRecoveryCode(userId, code)))) return false;
  const { recoveryCodesLeft } = await store.totp.findState(userId);
  await recordChange(store, actor, {
    action: 'user.use_recovery_code',
    targetId: userId,
    after: { recovery_codes_left: recoveryCodesLeft },
  });
  return true;
}
