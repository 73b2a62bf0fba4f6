import { describe, expect, it } from 'vitest';
import { scrubSecrets } from './logger.js';

describe('scrubSecrets', () => {
  it.each([
    ['an API key', 'key sk-proj-abcdefgh12345678 was refused', 'key [redacted] was refused'],
    ['a Google key', 'url?key=AIzaSyA1234567890abcdefghijk', 'url?key=[redacted]'],
    ['a bearer token', '{"authorization":"Bearer abcdefgh.12345"}', '{"authorization":"[redacted]"}'],
    ['a JWT', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'token [redacted]'],
    [
      'a password in an address',
      'postgres://mg:secret@127.0.0.1:5432/mg',
      'postgres://mg:[redacted]@127.0.0.1:5432/mg',
    ],
  ])('hides %s', (_name, text, expected) => {
    expect(scrubSecrets(text)).toBe(expected);
  });

  it('leaves ordinary text alone', () => {
    const text = '{"model":"gpt-5-mini","path":"/v1/chat/completions","task":"risk-assessment"}';
    expect(scrubSecrets(text)).toBe(text);
  });
});
