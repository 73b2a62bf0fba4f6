import { allowMs, readThreadMs } from '@mg/testkit';
import { expect, it } from 'vitest';
import { redactBody } from './redact-body.js';

it.each([
  ['{"Authorization": "Basic abc", "a": 1}', '{"Authorization": "[redacted]", "a": 1}'],
  ['{"api_key":"whatever it is","b":"c"}', '{"api_key":"[redacted]","b":"c"}'],
  ['{"password":"with \\"quotes\\" in it"}', '{"password":"[redacted]"}'],
  ['{"password":"cut at its e', '{"password":"[redacted]'],
  [
    '{"arguments":"{\\"client_secret\\":\\"hush\\",\\"city\\":\\"Rome\\"}"}',
    '{"arguments":"{\\"client_secret\\":\\"[redacted]\\",\\"city\\":\\"Rome\\"}"}',
  ],
  ['my key is sk-proj-0123456789abcdefghijklmn', 'my key is [redacted]'],
  ['{"content":"the password is a word"}', '{"content":"the password is a word"}'],
])('of %s leaves %s', (text, left) => expect(redactBody(text)).toBe(left));

it('reads a long body in no time', () => {
  const startedMs = readThreadMs();
  redactBody(`{"secret":"${'\\"'.repeat(30_000)}`);
  redactBody('"'.repeat(65_536));
  redactBody('\\'.repeat(65_536));
  const tookMs = readThreadMs() - startedMs;
  expect(tookMs).toBeLessThan(allowMs(1_000, tookMs));
});
