import { setTimeout as sleep } from 'node:timers/promises';
import { type EntityManager, QueryFailedError } from 'typeorm';
import { PLANE_ROLES, type PlaneName } from './plane-roles.js';
import { toScramVerifier } from './scram-verifier.js';

/** Passwords by plane; a plane without one keeps what it has. */
export type PlanePasswords = Readonly<Partial<Record<PlaneName, string | undefined>>>;

const MAX_TRIES = 5;
/** "tuple concurrently updated": another database of the cluster changes the same role. */
const INTERNAL_ERROR = 'XX000';

/** Lets the planes' roles log in with these passwords. @throws QueryFailedError when this user may not change the roles. */
export async function setPasswords(manager: EntityManager, passwords: PlanePasswords): Promise<PlaneName[]> {
  const planes = (Object.keys(PLANE_ROLES) as PlaneName[]).filter((plane) => passwords[plane] !== undefined);
  for (const plane of planes) {
    const verifier = toScramVerifier(passwords[plane] ?? '');
    const [row] = await manager.query<{ statement: string }[]>(
      `select format('alter role %I login password %L', $1::text, $2::text) as statement`,
      [PLANE_ROLES[plane], verifier],
    );
    await retryCollisions(() => manager.query(row?.statement ?? ''));
  }
  return planes;
}

async function retryCollisions(run: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await run();
      return;
    } catch (error) {
      const collided = error instanceof QueryFailedError && error.driverError.code === INTERNAL_ERROR;
      if (tries === MAX_TRIES || !collided) throw error;
      await sleep(Math.random() * 100);
    }
  }
}
