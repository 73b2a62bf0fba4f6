import { describe, expect, it } from 'vitest';
import { ATTACKS, PROCESS_ATTACKS, WALLET_ATTACKS } from './attacks.js';
import { runAttacks } from './run-attacks.js';
import { THREATS, type ThreatId } from './threats.js';

describe('attacks', () => {
  runAttacks(ATTACKS);

  it.each(Object.keys(THREATS) as ThreatId[])('%s has an attack, or says why it has none', (id) => {
    const attacks = [...ATTACKS, ...WALLET_ATTACKS, ...PROCESS_ATTACKS];
    const isAttacked = attacks.some(({ threats }) => threats.includes(id));
    expect(isAttacked).toBe(THREATS[id].notApplicable === undefined);
  });
});
