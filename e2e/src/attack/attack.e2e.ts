import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment } from '../deployment/deployment.js';
import { monolith } from '../deployment/monolith.js';
import type { Attack } from './attack.js';
import { ATTACKS } from './attacks.js';
import { THREATS, type ThreatId } from './threats.js';

const FULL = process.env.ATTACK_SIZE === 'full';
const RUN = ATTACKS.filter(({ fullSizeOnly }) => FULL || !fullSizeOnly);
const DEFAULT_TIMEOUT_MS = 60_000;
const START_WITHIN_MS = 300_000;

describe('attacks', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await monolith.start();
  }, START_WITHIN_MS);
  afterAll(async () => {
    await deployment.stop();
  });

  // oxlint-disable-next-line no-console -- figures are read by whoever runs `npm run attack`
  const say = (line: string) => FULL && console.log(line);

  const timeoutMs = Math.max(
    ...RUN.map((attack) => attack.timeoutMs?.[FULL ? 'full' : 'short'] ?? DEFAULT_TIMEOUT_MS),
  );
  const nameOf = (attack: Attack) => [`${attack.threats.join(', ')}: ${attack.title}`, attack] as const;
  const withstand = async (attack: Attack) => {
    await attack.run({ deployment, full: FULL, say });
    return deployment.listEnded();
  };
  const besideEachOther = RUN.filter(({ mostlyWaits }) => FULL && mostlyWaits);
  const alone = RUN.filter((attack) => !besideEachOther.includes(attack));
  it.concurrent.each(besideEachOther.map(nameOf))(
    '%s',
    async (_title, attack) => expect(await withstand(attack)).toEqual([]),
    timeoutMs,
  );
  it.each(alone.map(nameOf))(
    '%s',
    async (_title, attack) => expect(await withstand(attack)).toEqual([]),
    timeoutMs,
  );

  it.each(Object.keys(THREATS) as ThreatId[])('%s has an attack, or says why it has none', (id) => {
    const isAttacked = ATTACKS.some(({ threats }) => threats.includes(id));
    expect(isAttacked).toBe(THREATS[id].notApplicable === undefined);
  });
});
