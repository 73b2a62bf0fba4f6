import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deployment } from '../deployment/deployment.js';
import { monolith } from '../deployment/monolith.js';
import type { Attack } from './attack.js';
import { chooseAttacks, SIZE } from './choose-attacks.js';

const START_WITHIN_MS = 300_000;

/**
 * Tests of these attacks on a monolith of their own.
 *
 * @param areApart whether none sees what another does, so that they run beside each other; otherwise one after the other.
 */
export function runAttacks(all: readonly Attack[], { areApart = false } = {}): void {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await monolith.start();
  }, START_WITHIN_MS);
  afterAll(async () => {
    await deployment.stop();
  });

  const { attacks, timeoutMs } = chooseAttacks(all);
  const test = areApart ? it.concurrent : it;
  test.each(attacks)(
    '%s',
    async (_title, attack) => {
      await attack.run({ ...SIZE, deployment });
      expect(deployment.listEnded()).toEqual([]);
    },
    timeoutMs,
  );
}
