import { expect, it } from 'vitest';
import { KINDS, planIncidents, VICTIMS } from './plan-incidents.js';

it('the same seed plans the same incidents, and another one others', () => {
  expect(planIncidents({ kills: 50, seed: 7 })).toEqual(planIncidents({ kills: 50, seed: 7 }));
  expect(planIncidents({ kills: 50, seed: 7 })).not.toEqual(planIncidents({ kills: 50, seed: 8 }));
});

it('as many kills are planned as were asked for, and each kind of process is among them from five on', () => {
  for (const kills of [0, 5, 6, 200]) {
    const killed = planIncidents({ kills, seed: 1 }).filter(({ action }) => action === 'kill');
    expect(killed).toHaveLength(kills);
    for (const kind of kills > 0 ? KINDS : []) {
      expect(killed.some(({ victim }) => VICTIMS[kind].includes(victim))).toBe(true);
    }
  }
});
