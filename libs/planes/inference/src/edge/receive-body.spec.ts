import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';
import { receiveBody } from './receive-body.js';

it('a body that came in before it is read has not ended until its last piece is taken', async () => {
  const raw = new PassThrough();
  raw.end('x'.repeat(20_000));
  await turn();
  const lease = new BodyBudget(1024 * 1024).open('t');
  let taken = 0;
  await receiveBody(
    { raw, headers: {} } as unknown as FastifyRequest,
    { maxBytes: 100_000, lease },
    async (chunk) => {
      for (let turns = 0; turns < 5; turns++) await turn();
      taken += chunk.length;
    },
  );
  expect(taken).toBe(20_000);
});
