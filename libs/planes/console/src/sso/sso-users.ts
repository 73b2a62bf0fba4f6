import { GatewayError, refuse } from '@mg/contract';
import {
  ConsoleStore,
  type SsoIdentity,
  type SsoLogin,
  type UserRole,
  type UserRow,
} from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { recordChange } from '../audit/record-change.js';
import { emailSchema } from '../auth/auth-schemas.js';
import type { Origin } from '../http/caller.js';
import { ClaimedProjects } from '../projects/claimed-projects.js';
import { UserService } from '../users/user-service.js';
import type { SsoClaims } from './sso-issuer.js';
import { SsoRefusal } from './sso-refusal.js';

const LONGEST_NAME = 128;
const PASSWORD_BYTES = 32;
/** Who changes what claims decide. */
const ISSUER = { id: null, email: 'single sign-on' } as const;

/** Finds the user of an identity, links one, or creates one. */
@Injectable()
export class SsoUsers {
  constructor(
    private readonly store: ConsoleStore,
    private readonly users: UserService,
    private readonly projects: ClaimedProjects,
  ) {}

  /**
   * The id of the user who may be signed in, with the role and the projects that their claims give them.
   *
   * @param linker whoever is signed in and wants to be linked.
   * @throws SsoRefusal; GatewayError `service_unavailable` when a new user's wallet cannot be opened.
   */
  async find(claims: SsoClaims, origin: Origin, linker: SsoLogin['linker']): Promise<string> {
    const userId = await this.#identify(claims, origin, linker);
    if (claims.role) await this.#giveRole(userId, claims.role, origin);
    if (claims.groups) await this.projects.apply({ ...ISSUER, ...origin }, userId, claims.groups);
    return userId;
  }

  async #identify(claims: SsoClaims, origin: Origin, linker: SsoLogin['linker']): Promise<string> {
    if (linker) return this.store.transaction((store) => linkSignedIn(store, claims, linker, origin));
    const userId = await this.store.sso.findUserId(claims);
    if (userId !== undefined) return checkEnabled(await this.store.users.findById(userId));
    const email = emailSchema.safeParse(claims.verifiedEmail);
    if (!email.success) {
      throw new SsoRefusal('unverified_email', 'The issuer names no verified e-mail address.');
    }
    const linked = await this.store.transaction((store) => linkByEmail(store, claims, email.data, origin));
    return linked ?? this.#create(claims, email.data, origin);
  }

  /** The last administrator stays one, and is not signed in as what the issuer says they are not. */
  async #giveRole(userId: string, role: UserRole, origin: Origin): Promise<void> {
    const user = await this.store.users.findById(userId);
    if (!user || user.role === role) return;
    const actor = { ...ISSUER, ...origin };
    await this.users.change(actor, userId, { role }).catch((error: unknown) => {
      if (!(error instanceof GatewayError) || error.code !== 'conflict') throw error;
      throw new SsoRefusal('last_administrator', error.message);
    });
  }

  /** With the least rights that the claims leave, and a password that nobody knows. */
  async #create(claims: SsoClaims, email: string, origin: Origin): Promise<string> {
    const input = {
      email,
      name: claims.name.trim().slice(0, LONGEST_NAME),
      role: claims.role ?? 'member',
      password: randomBytes(PASSWORD_BYTES).toString('base64url'),
    };
    const actor = { id: null, email, ...origin };
    const user = await this.users.create(actor, input, (store, id) =>
      link(store, claims, { id, email }, origin),
    );
    return user.id;
  }
}

/** Whoever has shown their password is linked by no e-mail address, and so may be an administrator. */
async function linkSignedIn(
  store: ConsoleStore,
  claims: SsoClaims,
  { userId, sessionId }: NonNullable<SsoLogin['linker']>,
  origin: Origin,
): Promise<string> {
  const user = await store.users.findShared(userId);
  if (!user || !(await store.sessions.isOpen(sessionId, userId))) {
    throw new SsoRefusal('expired', 'The session that wanted to be linked is over.');
  }
  checkEnabled(user);
  if ((await store.sso.findUserId(claims)) !== userId) await link(store, claims, user, origin);
  return userId;
}

/** Answers nothing where no user has the address. */
async function linkByEmail(
  store: ConsoleStore,
  claims: SsoClaims,
  email: string,
  origin: Origin,
): Promise<string | undefined> {
  const found = await store.users.findByEmail(email);
  // Locked, so that nobody becomes an administrator while they are linked.
  const user = found && (await store.users.findShared(found.id));
  if (!user) return undefined;
  checkEnabled(user);
  // Whom the issuer may make an administrator, it may name one, too.
  if (user.role === 'administrator' && claims.role !== 'administrator') {
    throw new SsoRefusal('administrator', 'An administrator is not linked by e-mail address.');
  }
  if (user.emailClaimed) {
    throw new SsoRefusal('claimed', 'Nobody but the user has said that the address is theirs.');
  }
  await link(store, claims, user, origin);
  return user.id;
}

async function link(
  store: ConsoleStore,
  { issuer, subject }: SsoIdentity,
  user: Pick<UserRow, 'id' | 'email'>,
  origin: Origin,
): Promise<void> {
  if (!(await store.sso.link({ issuer, subject }, user.id))) {
    throw new SsoRefusal('linked_otherwise', 'The user is linked to another identity of the issuer.');
  }
  const actor = { id: user.id, email: user.email, ...origin };
  await recordChange(store, actor, {
    action: 'user.link_sso',
    targetId: user.id,
    after: { issuer, subject },
  });
}

function checkEnabled(user: UserRow | null): string {
  if (!user) throw refuse('unauthenticated', 'user_gone');
  if (user.disabled) throw new SsoRefusal('disabled', 'The user is disabled.');
  return user.id;
}
