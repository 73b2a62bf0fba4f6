import { setTimeout as sleep } from 'node:timers/promises';

const ANSWERS_WITHIN_MS = 1_000;

/** Why a service that a plane depends on cannot be used now, for `/readyz`; `undefined` when it answers within a second. */
export async function findObstacle(
  service: 'Postgres' | 'Redis',
  ask: () => Promise<unknown>,
): Promise<string | undefined> {
  const silence = sleep(ANSWERS_WITHIN_MS, `${service} does not answer.`, { ref: false });
  const answer = ask().then(
    () => undefined,
    () => `${service} cannot be reached.`,
  );
  return Promise.race([answer, silence]);
}
