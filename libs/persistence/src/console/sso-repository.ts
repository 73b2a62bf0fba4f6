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

/** Something that is good once, in one browser, for a while; of both secrets only hashes are stored. */
export interface SsoTicket {
  readonly hash: string;
  readonly browserHash: string;
}

/** Single sign-on: identities of users, browsers on their way, and codes for the page. */
export class SsoRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Notes a browser that is sent to the issuer, and forgets those that never came back. */
  async beginLogin(ticket: SsoTicket, checks: SsoChecks, lifeSeconds: number): Promise<void> {
    await this.manager.query('delete from sso_login where expires_at <= now()');
    await this.manager.query(
      `insert into sso_login (state_hash, browser_hash, nonce, code_verifier, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [ticket.hash, ticket.browserHash, checks.nonce, checks.codeVerifier, lifeSeconds],
    );
  }

  /** Uses a login up. Answers nothing where it is unknown, over, used already or another browser's. */
  async takeLogin(ticket: SsoTicket): Promise<SsoChecks | undefined> {
    const [rows] = await this.manager.query<[SsoChecks[], number]>(
      `delete from sso_login where state_hash = $1 and browser_hash = $2 and expires_at > now()
       returning nonce, code_verifier as "codeVerifier"`,
      [ticket.hash, ticket.browserHash],
    );
    return rows[0];
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
