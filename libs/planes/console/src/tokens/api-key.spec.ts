import { newApiKey, sha256 } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { toKeyHint } from '@mg/contract';
import { describeApiKey } from './api-key.js';

describe('what is kept of an API key', () => {
  it('finds it and helps to recognise it', () => {
    const key = newApiKey();
    expect(describeApiKey(key)).toEqual({
      keyHash: sha256(key),
      keyPrefix: key.slice(0, 7),
      keyLast4: key.slice(-4),
    });
  });

  it('is less of a short one', () => {
    expect(describeApiKey('sk-12345678')).toMatchObject({ keyPrefix: 'sk-', keyLast4: '' });
  });
});

describe("what is shown of a provider's key", () => {
  it('is its ends, or nothing of a short one', () => {
    expect(toKeyHint('sk-proj-0123456789abcd')).toBe('sk-...abcd');
    expect(toKeyHint('sk-short')).toBe('...');
  });
});
