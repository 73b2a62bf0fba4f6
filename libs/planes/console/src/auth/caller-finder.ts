import { ConsoleStore } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { type Caller, type Origin, toCaller } from '../http/caller.js';
import type { SessionClaim } from './session-tokens.js';

/** Finds who is behind a claim that is signed, as they are now. */
@Injectable()
export class CallerFinder {
  constructor(private readonly store: ConsoleStore) {}

  /** `undefined` once the session is over, or its user is disabled or has a new password. */
  async find(claim: SessionClaim, origin: Origin): Promise<Caller | undefined> {
    const [user, isOpen, memberships] = await Promise.all([
      this.store.users.findById(claim.userId),
      this.store.sessions.isOpen(claim.sessionId, claim.userId),
      this.store.projects.listMemberships(claim.userId),
    ]);
    if (!isOpen || !user || user.disabled || user.tokenVersion !== claim.tokenVersion) return undefined;
    return toCaller(user, memberships, claim.sessionId, origin);
  }
}
