import { refuse } from '@mg/contract';
import { ConsoleStore, type TotpState, type UserRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.js';
import { SecondFactor } from './second-factor.js';
import { SessionService } from './session-service.js';
import type { SessionAnswer } from './session-tokens.js';
import { type NewTotpSecret, TotpCodes } from './totp-codes.js';

/** Sets up second factors and takes them away. */
@Injectable()
export class TotpService {
  constructor(
    private readonly store: ConsoleStore,
    private readonly codes: TotpCodes,
    private readonly factor: SecondFactor,
    private readonly sessions: SessionService,
  ) {}

  async findState(userId: string): Promise<TotpState> {
    found(await this.store.users.findById(userId));
    return this.store.totp.findState(userId);
  }

  /**
   * Makes a secret, which counts from its first code on.
   *
   * @throws GatewayError `invalid_request` when the password is wrong; `conflict` when there is a second factor; `rate_limited`.
   */
  async begin(caller: Caller, password: string): Promise<NewTotpSecret> {
    const user = await this.sessions.checkPassword(caller, password);
    const made = this.codes.makeSecret(user);
    await this.store.transaction(async (store) => {
      if (!(await store.totp.begin(user.id, made.sealed))) {
        throw refuse('conflict', 'factor_exists');
      }
      await recordChange(store, caller, { action: 'user.begin_totp', targetId: user.id });
    });
    return made;
  }

  /**
   * Asks for codes from now on. Every session that the password alone opened ends; the caller goes on in a new one.
   *
   * @throws GatewayError `invalid_request` when the code is wrong; `conflict` when there is no secret to confirm; `rate_limited`.
   */
  async confirm(
    caller: Caller,
    code: string,
  ): Promise<{ readonly recoveryCodes: string[]; readonly session: SessionAnswer }> {
    const guess = { user: caller, device: 'signed in', refusal: 'invalid_request' } as const;
    return this.factor.withCode(guess, code, async (store) => {
      const totp = await store.totp.findLocked(caller.id);
      if (!totp || totp.isEnabled || totp.isOutdated) {
        throw refuse('conflict', 'no_factor_begun');
      }
      const plain = code.replaceAll(/\s/g, '');
      if (!(await this.factor.takeStep(store, caller.id, totp.sealed, plain))) return 'refused';
      const recoveryCodes = makeRecoveryCodes();
      await store.totp.enable(
        caller.id,
        recoveryCodes.map((recoveryCode) => hashRecoveryCode(caller.id, recoveryCode)),
      );
      await store.users.update(caller.id, { endSessions: true });
      await recordChange(store, caller, { action: 'user.enable_totp', targetId: caller.id });
      const user: UserRow = found(await store.users.findById(caller.id));
      return { recoveryCodes, session: await this.sessions.open(store, user, caller) };
    });
  }

  /**
   * Asks for no codes any more.
   *
   * @throws GatewayError `invalid_request` when the password or the code is wrong; `conflict` when there is no second factor; `rate_limited`.
   */
  async disable(caller: Caller, password: string, code: string): Promise<void> {
    await this.sessions.checkPasswordAndCode(caller, password, code);
    await this.store.transaction(async (store) => {
      if (!(await store.totp.remove(caller.id))) {
        throw refuse('conflict', 'no_factor');
      }
      await recordChange(store, caller, { action: 'user.disable_totp', targetId: caller.id });
    });
  }

  /**
   * Takes another user's second factor away, for whoever has lost the app and the recovery codes. Ends all their sessions.
   *
   * @throws GatewayError `conflict` for the caller's own, which takes their password and a code; `not_found` where there is none.
   */
  async reset(caller: Caller, userId: string): Promise<void> {
    if (userId === caller.id) {
      throw refuse('conflict', 'own_factor');
    }
    await this.store.transaction(async (store) => {
      found((await store.totp.remove(userId)) || undefined);
      await store.users.update(userId, { endSessions: true });
      await recordChange(store, caller, { action: 'user.reset_totp', targetId: userId });
    });
  }
}
