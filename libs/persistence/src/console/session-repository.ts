import type { EntityManager } from 'typeorm';

/** A sign-in that is not over. */
export interface OpenSession {
  readonly id: string;
  readonly userId: string;
  /** Hash of the one refresh token that renews it. */
  readonly refreshHash: string;
}

/** A session that nobody else renews until the transaction ends. */
export interface LockedSession extends OpenSession {
  /** When it ends unless it is renewed; seconds since 1970, as all moments here, on the database's clock. */
  readonly expiresAtSeconds: number;
  readonly nowSeconds: number;
  /** Somebody else was renewing it when this transaction began. */
  readonly wasBusy: boolean;
}

/** A session as its user sees it. */
export interface ListedSession {
  readonly id: string;
  /** Network address that it was opened from. */
  readonly address: string;
  readonly createdAt: Date;
  /** When it was last renewed, which a page in use does every quarter of an hour. */
  readonly renewedAt: Date;
  readonly expiresAt: Date;
}

const MOST_LISTED = 100;

export interface NewSession extends OpenSession {
  readonly address: string;
  readonly lifeSeconds: number;
}

/** `now()` is when the transaction began. */
const LOCK_SESSION = `
  select id, user_id as "userId", refresh_hash as "refreshHash",
         extract(epoch from expires_at)::float8 as "expiresAtSeconds",
         floor(extract(epoch from clock_timestamp()))::float8 as "nowSeconds", renewed_at > now() as "wasBusy"
    from console_session
   where id = $1 and ended_at is null and expires_at > now() for update`;

/** Sign-ins. */
export class SessionRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Opens a session and forgets those of the user that ran out. */
  async insert(session: NewSession): Promise<void> {
    await this.manager.query('delete from console_session where user_id = $1 and expires_at < now()', [
      session.userId,
    ]);
    await this.manager.query(
      `insert into console_session (id, user_id, refresh_hash, address, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
      [session.id, session.userId, session.refreshHash, session.address, session.lifeSeconds],
    );
  }

  async isOpen(id: string, userId: string): Promise<boolean> {
    const rows = await this.manager.query<unknown[]>(
      'select 1 from console_session where id = $1 and user_id = $2 and ended_at is null and expires_at > now()',
      [id, userId],
    );
    return rows.length === 1;
  }

  /** Whether the user has a session from this address that was kept so far. */
  async isKnownAddress(userId: string, address: string): Promise<boolean> {
    const rows = await this.manager.query<unknown[]>(
      'select 1 from console_session where user_id = $1 and address = $2 limit 1',
      [userId, address],
    );
    return rows.length === 1;
  }

  /** Finds a session and keeps others from renewing it until the transaction ends. */
  async findOpenLocked(id: string): Promise<LockedSession | undefined> {
    const [free] = await this.manager.query<LockedSession[]>(`${LOCK_SESSION} skip locked`, [id]);
    if (free) return free;
    const [waitedFor] = await this.manager.query<LockedSession[]>(LOCK_SESSION, [id]);
    return waitedFor && { ...waitedFor, wasBusy: true };
  }

  /** Replaces the refresh token of a session, which lives on until then. */
  async renew(id: string, refreshHash: string, expiresAtSeconds: number): Promise<void> {
    await this.manager.query(
      `update console_session set refresh_hash = $2, renewed_at = clock_timestamp(), expires_at = to_timestamp($3)
        where id = $1`,
      [id, refreshHash, expiresAtSeconds],
    );
  }

  async end(id: string): Promise<void> {
    await this.manager.query(
      'update console_session set ended_at = now() where id = $1 and ended_at is null',
      [id],
    );
  }

  /** The sessions of a user that go on, the one that was used last first. */
  listOpen(userId: string): Promise<ListedSession[]> {
    return this.manager.query<ListedSession[]>(
      `select id, address, created_at as "createdAt", renewed_at as "renewedAt", expires_at as "expiresAt"
         from console_session
        where user_id = $1 and ended_at is null and expires_at > now()
        order by renewed_at desc, id desc limit $2`,
      [userId, MOST_LISTED],
    );
  }

  /** Ends a session of a user. Answers whether there was one that went on. */
  async endOf(userId: string, id: string): Promise<boolean> {
    const [, ended] = await this.manager.query<[unknown, number]>(
      `update console_session set ended_at = now()
        where id = $1 and user_id = $2 and ended_at is null and expires_at > now()`,
      [id, userId],
    );
    return ended > 0;
  }
}
