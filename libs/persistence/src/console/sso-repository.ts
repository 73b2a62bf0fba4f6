import type { EntityManager } from 'typeorm';

/** Who somebody is at an OpenID Connect issuer. */
export interface SsoIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** What the answer of the issuer is checked against. */
export interface SsoChecks {
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A browser on its way to the issuer and back. */
export interface SsoLogin extends SsoChecks {
  /** Whoever is signed in and links themselves; `null` for whoever signs in. */
  readonly linker: { readonly userId: string; readonly sessionId: string } | null;
}

/** Something that is good once, in one browser, for a while; of both secrets only hashes are stored. */
export interface SsoTicket {
  readonly hash: string;
  readonly browserHash: string;
}

/** Single sign-on: identities of users, browsers on their way, and codes for the page. */
export class SsoRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Notes a browser that is sent to the issuer, and forgets those that never came back. */
  async beginLogin(ticket: SsoTicket, login: SsoLogin, lifeSeconds: number): Promise<void> {
    await this.manager.query('delete from sso_login where expires_at <= now()');
    await this.manager.query(
      `insert into sso_login (state_hash, browser_hash, nonce, code_verifier, user_id, session_id, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
      [
        ticket.hash,
        ticket.browserHash,
        login.nonce,
        login.codeVerifier,
        login.linker?.userId ?? null,
        login.linker?.sessionId ?? null,
        lifeSeconds,
      ],
    );
  }

  /** Uses a login up. Answers nothing where it is unknown, over, used already or another browser's. */
  async takeLogin(ticket: SsoTicket): Promise<SsoLogin | undefined> {
    const [rows] = await this.manager.query<
      [(SsoChecks & { userId: string | null; sessionId: string | null })[], number]
    >(
      `delete from sso_login where state_hash = $1 and browser_hash = $2 and expires_at > now()
       returning nonce, code_verifier as "codeVerifier", user_id as "userId", session_id as "sessionId"`,
      [ticket.hash, ticket.browserHash],
    );
    const [row] = rows;
    if (!row) return undefined;
    const { nonce, codeVerifier, userId, sessionId } = row;
    return { nonce, codeVerifier, linker: userId && sessionId ? { userId, sessionId } : null };
  }

  /** Keeps a code that the page exchanges for a session of the user, and forgets those that nobody came for. */
  async beginHandover(ticket: SsoTicket, userId: string, lifeSeconds: number): Promise<void> {
    await this.manager.query('delete from sso_handover where expires_at <= now()');
    await this.manager.query(
      `insert into sso_handover (code_hash, browser_hash, user_id, expires_at)
       values ($1, $2, $3, now() + make_interval(secs => $4))`,
      [ticket.hash, ticket.browserHash, userId, lifeSeconds],
    );
  }

  /** Uses a code up. Answers the id of its user, or nothing where it is unknown, over, used already or another browser's. */
  async takeHandover(ticket: SsoTicket): Promise<string | undefined> {
    const [rows] = await this.manager.query<[{ userId: string }[], number]>(
      `delete from sso_handover where code_hash = $1 and browser_hash = $2 and expires_at > now()
       returning user_id as "userId"`,
      [ticket.hash, ticket.browserHash],
    );
    return rows[0]?.userId;
  }

  /** The id of the user whom an identity is linked to. */
  async findUserId({ issuer, subject }: SsoIdentity): Promise<string | undefined> {
    const [row] = await this.manager.query<{ userId: string }[]>(
      'select user_id as "userId" from sso_identity where issuer = $1 and subject = $2',
      [issuer, subject],
    );
    return row?.userId;
  }

  /** Whether a user is linked to any identity. */
  async isLinked(userId: string): Promise<boolean> {
    const rows = await this.manager.query<unknown[]>('select 1 from sso_identity where user_id = $1', [
      userId,
    ]);
    return rows.length > 0;
  }

  /** Links an identity to a user. Answers `false` where either is linked at this issuer already. */
  async link({ issuer, subject }: SsoIdentity, userId: string): Promise<boolean> {
    const written = await this.manager.query<unknown[]>(
      `insert into sso_identity (issuer, subject, user_id) values ($1, $2, $3)
       on conflict do nothing returning 1 as written`,
      [issuer, subject, userId],
    );
    return written.length === 1;
  }
}
