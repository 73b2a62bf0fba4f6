import { expect, it } from 'vitest';
import { GatewayError } from './errors.js';

it('T25: what a caller is told stays short, however long what they sent is', () => {
  const long = '\u{1F600}'.repeat(1024 * 1024);
  const { message, param } = new GatewayError('invalid_request', `a${long}`, { param: long }).toDetail('r');
  expect([message.length, param?.length]).toEqual([4_099, 1_027]);
  expect([message.endsWith('...'), message.isWellFormed()]).toEqual([true, true]);
  const short = new GatewayError('invalid_request', 'a.', { param: 'b' });
  expect([short.message, short.param]).toEqual(['a.', 'b']);
});
