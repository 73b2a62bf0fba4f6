import { describe, expect, it } from 'vitest';
import { redactUpstreamError } from './redact-upstream-error.js';

describe('redactUpstreamError', () => {
  it('shows what a provider said in one bounded context, without its credential', () => {
    const said = { code: 'Bad', message: `no \n such key sk-0123456789abcdef ${'x'.repeat(1_000)}` };
    const { message } = redactUpstreamError(said);
    expect(message.startsWith('no such key [redacted] xxx')).toBe(true);
    expect(message).toHaveLength(512);
  });
});
