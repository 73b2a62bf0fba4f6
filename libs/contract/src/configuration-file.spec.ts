import { expect, it } from 'vitest';
import { timeoutSchema } from './configuration-file.js';

it.each(['connect', 'first_byte', 'idle', 'total'])('takes no longer time limit than a day: %s', (name) => {
  expect(timeoutSchema.safeParse({ [name]: '24h' }).data).toEqual({ [name]: 86_400_000 });
  const refused = timeoutSchema.safeParse({ [name]: '597h' });
  expect(refused.error?.issues).toMatchObject([{ path: [name], message: 'must be at most 24h' }]);
});
