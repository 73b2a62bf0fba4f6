import type { EntityManager } from 'typeorm';

/** A user's second factor, which nobody else uses or changes until the transaction ends. */
export interface LockedTotp {
  /** The secret, sealed. */
  readonly sealed: string;
  /** Whether a code is asked for. */
  readonly isEnabled: boolean;
  /** Whether it was begun so long ago that it cannot be confirmed any more. */
  readonly isOutdated: boolean;
}

export interface TotpState {
  /** `null` where no code is asked for. */
  readonly enabledAt: Date | null;
  readonly recoveryCodesLeft: number;
}

/** How long a secret that was shown waits for its first code. */
const CONFIRMED_WITHIN = `interval '1 hour'`;

/** Second factors of users and their recovery codes. */
export class TotpRepository {
  constructor(private readonly manager: EntityManager) {}

  async findState(userId: string): Promise<TotpState> {
    const [state] = await this.manager.query<TotpState[]>(
      `select (select enabled_at from user_totp where user_id = $1) as "enabledAt",
              (select count(*)::integer from user_recovery_code where user_id = $1) as "recoveryCodesLeft"`,
      [userId],
    );
    return state ?? { enabledAt: null, recoveryCodesLeft: 0 };
  }

  async findLocked(userId: string): Promise<LockedTotp | undefined> {
    const [totp] = await this.manager.query<LockedTotp[]>(
      `select sealed, enabled_at is not null as "isEnabled", begun_at < now() - ${CONFIRMED_WITHIN} as "isOutdated"
         from user_totp where user_id = $1 for update`,
      [userId],
    );
    return totp;
  }

  /** Keeps a secret that is still to be confirmed, in place of another such one. Answers `false` where one is enabled. */
  async begin(userId: string, sealed: string): Promise<boolean> {
    const written = await this.manager.query<unknown[]>(
      `insert into user_totp as t (user_id, sealed) values ($1, $2)
       on conflict (user_id) do update set sealed = excluded.sealed, begun_at = now()
        where t.enabled_at is null
       returning 1 as written`,
      [userId, sealed],
    );
    return written.length === 1;
  }

  async enable(userId: string, recoveryHashes: readonly string[]): Promise<void> {
    await this.manager.query('update user_totp set enabled_at = now() where user_id = $1', [userId]);
    await this.manager.query(
      'insert into user_recovery_code (user_id, code_hash) select $1, unnest($2::text[])',
      [userId, recoveryHashes],
    );
  }

  /** Answers whether the step is later than that of every code before. */
  async takeStep(userId: string, step: number): Promise<boolean> {
    const [, taken] = await this.manager.query<[unknown, number]>(
      'update user_totp set last_step = $2 where user_id = $1 and last_step < $2',
      [userId, step],
    );
    return taken > 0;
  }

  /** Answers whether there was such a code; it is used up then. */
  async takeRecoveryCode(userId: string, codeHash: string): Promise<boolean> {
    const [, taken] = await this.manager.query<[unknown, number]>(
      'delete from user_recovery_code where user_id = $1 and code_hash = $2',
      [userId, codeHash],
    );
    return taken > 0;
  }

  /** Answers whether a code was asked for. */
  async remove(userId: string): Promise<boolean> {
    const [rows] = await this.manager.query<[{ enabled: boolean }[], number]>(
      'delete from user_totp where user_id = $1 returning enabled_at is not null as enabled',
      [userId],
    );
    return rows[0]?.enabled === true;
  }
}
