import type { Attack, AttackSize } from './attack.js';

const FULL = process.env.ATTACK_SIZE === 'full';
const DEFAULT_TIMEOUT_MS = 60_000;

/** The size that the environment asks for. */
export const SIZE: AttackSize = {
  full: FULL,
  // oxlint-disable-next-line no-console -- figures are read by whoever runs `npm run attack`
  say: (line) => FULL && console.log(line),
};

/** @returns the attacks that are run at that size, each after its name, and what the longest of them may take in milliseconds. */
export function chooseAttacks<Target extends AttackSize>(all: readonly Attack<Target>[]) {
  const attacks = all
    .filter(({ fullSizeOnly }) => FULL || !fullSizeOnly)
    .map((attack) => [`${attack.threats.join(', ')}: ${attack.title}`, attack] as const);
  const timeouts = attacks.map(
    ([, { timeoutMs }]) => timeoutMs?.[FULL ? 'full' : 'short'] ?? DEFAULT_TIMEOUT_MS,
  );
  return { attacks, timeoutMs: Math.max(...timeouts) };
}
