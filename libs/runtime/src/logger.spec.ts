import { allowMs, readThreadMs } from '@mg/testkit';
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
    ['a key of Anthropic', 'x-api-key: sk-ant-api03-AbCdEfGh_12345678', 'x-api-key: [redacted]'],
    ['a token of Google', 'token ya29.a0AfB_byC-1234567890 expired', 'token [redacted] expired'],
    ['a token of Slack', 'xoxb-123456789012-abcdef', '[redacted]'],
    ['a key id of AWS', 'Credential=AKIAIOSFODNN7EXAMPLE/20270101', 'Credential=[redacted]/20270101'],
    ['a token of GitHub', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
    ['another of GitHub', 'github_pat_11ABCDEFG0abcdefghijkl', '[redacted]'],
    ['a token of GitLab', 'glpat-abcdefghij0123456789', '[redacted]'],
    ['a token of Hugging Face', 'hf_abcdefghijklmnopqrstuv', '[redacted]'],
    ['a key of Groq', 'gsk_abcdefghijklmnopqrstuv', '[redacted]'],
    ['a token of Replicate', 'r8_abcdefghijklmnopqrstuv', '[redacted]'],
    ['a key of xAI', 'xai-abcdefghijklmnopqrstuv', '[redacted]'],
    [
      'a name and password',
      '{"authorization":"Basic dXNlcjpwYXNzd29yZA=="}',
      '{"authorization":"[redacted]"}',
    ],
    [
      'a name and password in small letters',
      'authorization: basic dXNlcjpwYXNz',
      'authorization: [redacted]',
    ],
    [
      'a private key',
      '{"k":"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n"}',
      '{"k":"[redacted]\\n"}',
    ],
    ['a private key that was cut', '-----BEGIN RSA PRIVATE KEY-----\nMIIE', '[redacted]'],
    [
      'a key in a query',
      'GET /v1/models?key=anything&x=1 failed',
      'GET /v1/models?key=[redacted]&x=1 failed',
    ],
    ['a signature in a query', 'https://a.b/c?expires=1&sig=abc', 'https://a.b/c?expires=1&sig=[redacted]'],
  ])('hides %s', (_name, text, expected) => {
    expect(scrubSecrets(text)).toBe(expected);
  });

  it.each([
    '{"model":"gpt-5-mini","path":"/v1/chat/completions","task":"risk-assessment"}',
    'Basic authentication is not supported; the bearer of bad news',
    'GET /v1/models?limit=5&after=abc, hf_hub, r8_model, monkey=banana',
    'sha256 eyJ and AKIA, https://example.com:8080/a',
  ])('leaves ordinary text alone: %s', (text) => {
    expect(scrubSecrets(text)).toBe(text);
  });

  it.each(['://a:', '-eyJaaaaaaaaaa', '-----BEGIN ', 'Basic ', '?key=', 'Bearer \n', 'sk-'])(
    'takes time by the length of a text and no more: many %j',
    (beginning) => {
      const text = beginning.repeat(40_000);
      // Work of this thread, not the clock: other programs may have the machine meanwhile.
      const beforeMs = readThreadMs();
      scrubSecrets(text);
      const tookMs = readThreadMs() - beforeMs;
      expect(tookMs).toBeLessThan(allowMs(2_000, tookMs));
    },
  );
});
