import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment } from '../deployment/deployment.js';
import { monolith } from '../deployment/monolith.js';
import { ATTACKS, PROCESS_ATTACKS } from './attacks.js';
import { chooseAttacks, SIZE } from './choose-attacks.js';
import { THREATS, type ThreatId } from './threats.js';

const START_WITHIN_MS = 300_000;

describe('attacks', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await monolith.start();
  }, START_WITHIN_MS);
  afterAll(async () => {
    await deployment.stop();
  });

  const { attacks, timeoutMs } = chooseAttacks(ATTACKS);
  it.each(attacks)(
    '%s',
    async (_title, attack) => {
      await attack.run({ ...SIZE, deployment });
      expect(deployment.listEnded()).toEqual([]);
    },
    timeoutMs,
  );

  it.each(Object.keys(THREATS) as ThreatId[])('%s has an attack, or says why it has none', (id) => {
    const isAttacked = [...ATTACKS, ...PROCESS_ATTACKS].some(({ threats }) => threats.includes(id));
    expect(isAttacked).toBe(THREATS[id].notApplicable === undefined);
  });
});
