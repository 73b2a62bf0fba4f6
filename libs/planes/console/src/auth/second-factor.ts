import { GatewayError, refuse } from '@mg/contract';
import { ConsoleStore, type UserRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { type Actor, recordChange } from '../audit/record-change.js';
import { LoginLimits } from './login-limits.js';
import { hashRecoveryCode } from './recovery-codes.js';
import { TotpCodes } from './totp-codes.js';

/** What is known of somebody whose password was right. */
export type FactorVerdict = 'passed' | 'missing' | 'refused';

/** Whose code it is, and what they are told when it is wrong. */
interface CodeGuess {
  readonly user: Actor & { readonly id: string };
  /** Where guesses are counted: the id of a known device, `signed in`, or all unknown devices together. */
  readonly device: string | undefined;
  /** Of the login, or of a change that needs a code. */
  readonly refusal: 'unauthenticated' | 'invalid_request';
}

const CODE_OF_AN_APP = /^\d{6}$/;

/** Looks at the codes of users' second factors. */
@Injectable()
export class SecondFactor {
  constructor(
    private readonly store: ConsoleStore,
    private readonly codes: TotpCodes,
    private readonly limits: LoginLimits,
  ) {}

  /**
   * Does what a code is asked for, in one transaction. The code counts as a guess until it proves right; a wrong one is
   * written down apart from what was tried with it, which did not take place.
   *
   * @param work answers `refused` for a wrong code.
   * @throws GatewayError of the guess's `refusal` for a wrong code; `rate_limited`.
   */
  async withCode<Result>(
    { user, device, refusal }: CodeGuess,
    code: string | undefined,
    work: (store: ConsoleStore) => Promise<Result | 'refused'>,
  ): Promise<Result> {
    if (code !== undefined) await this.limits.countCode(user.id, device);
    const result = await this.store.transaction(work);
    if (result === 'refused') {
      await recordChange(this.store, user, { action: 'user.refuse_code', targetId: user.id });
      throw refuse(refusal, 'code_wrong', { param: 'code' });
    }
    if (code !== undefined) await this.limits.giveBackCode(user.id, device);
    return result;
  }

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

/** The password was right, and a code is still to come. */
export function missingCode(refusal: CodeGuess['refusal']): GatewayError {
  return refuse(refusal, 'code_needed', { param: 'code' });
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
