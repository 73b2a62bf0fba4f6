/** Answers a number from 0 up to, and without, the number of its sides. */
export type Dice = (sides: number) => number;

/** Small, fast, and the same numbers for the same seed. */
export function createDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) % sides;
  };
}
