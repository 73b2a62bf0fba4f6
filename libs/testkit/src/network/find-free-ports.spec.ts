import { expect, it } from 'vitest';
import { findFreePorts } from './find-free-ports.js';

it('ports that were given and are not used yet are not given again', async () => {
  const ports: number[] = [];
  for (let round = 0; round < 50; round++) {
    const together = await Promise.all([findFreePorts(1), findFreePorts(3)]);
    ports.push(...together.flat());
  }
  expect(new Set(ports).size).toBe(200);
});
