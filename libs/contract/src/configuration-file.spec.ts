import { expect, it } from 'vitest';
import { cacheSchema, firstTokenTimeoutSchema, timeoutSchema } from './configuration-file.js';

it.each(['connect', 'first_byte', 'idle', 'total'])('takes no longer time limit than a day: %s', (name) => {
  expect(timeoutSchema.safeParse({ [name]: '24h' }).data).toEqual({ [name]: 86_400_000 });
  const refused = timeoutSchema.safeParse({ [name]: '597h' });
  expect(refused.error?.issues).toMatchObject([{ path: [name], message: 'must be at most 24h' }]);
});

it.each([
  ['0s', 'must be more than 0s'],
  ['000ms', 'must be more than 0s'],
  ['25h', 'must be at most 24h'],
  ['1', 'must be a duration such as 250ms, 3s, 15m or 1h'],
])('takes no %s for what has to take some time', (text, message) => {
  for (const schema of [cacheSchema, firstTokenTimeoutSchema]) {
    expect(schema.safeParse('020s').data).toBe(20_000);
    expect(schema.safeParse(text).error?.issues[0]).toMatchObject({ message });
  }
});
