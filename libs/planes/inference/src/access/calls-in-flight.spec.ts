import { expect, it } from 'vitest';
import { CallsInFlight } from './calls-in-flight.js';

it('calls of one key are so many at once, whatever others have, and one that was refused has to end as well', () => {
  const inFlight = new CallsInFlight(2);
  for (const key of ['a', 'a', 'b']) inFlight.begin(key);
  const refused = expect.objectContaining({ code: 'rate_limited', retryAfter: 1 });
  expect(() => inFlight.begin('a')).toThrow(refused);
  inFlight.begin('b');
  inFlight.end('a');
  expect(() => inFlight.begin('a')).toThrow(refused);
  inFlight.end('a');
  inFlight.end('a');
  inFlight.begin('a');
  expect(() => inFlight.begin('b')).toThrow(refused);
});
