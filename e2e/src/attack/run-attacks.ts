import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deployment } from '../deployment/deployment.js';
import { monolith } from '../deployment/monolith.js';
import type { Attack } from './attack.js';
import { chooseAttacks, SIZE } from './choose-attacks.js';

const START_WITHIN_MS = 300_000;

/** Tests of these attacks, one after the other, on a monolith of their own. */
export function runAttacks(all: readonly Attack[]): void {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await monolith.start();
  }, START_WITHIN_MS);
  afterAll(async () => {
    await deployment.stop();
  });

  const { attacks, timeoutMs } = chooseAttacks(all);
  it.each(attacks)(
    '%s',
    async (_title, attack) => {
      await attack.run({ ...SIZE, deployment });
      expect(deployment.listEnded()).toEqual([]);
    },
    timeoutMs,
  );
}
