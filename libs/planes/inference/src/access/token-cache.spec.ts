import { type CallerToken, GatewayError, sha256 } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { extractKey } from './extract-key.js';
import { TokenCache } from './token-cache.js';

const KEY = 'sk-0123456789abcdef';
const token = { id: 't', disabled: false } as CallerToken;

describe('TokenCache', () => {
  it('asks once for many calls, known or not', async () => {
    let asked = 0;
    const cache = new TokenCache(async (keyHash) => {
      asked++;
      return keyHash === sha256(KEY) ? token : undefined;
    });
    expect(cache.recall(sha256(KEY))).toBeUndefined();
    await Promise.all(Array.from({ length: 20 }, () => cache.find(sha256(KEY))));
    expect(cache.recall(sha256(KEY))).toBe(token);
    await cache.find('the hash of an unknown key');
    expect(cache.recall('the hash of an unknown key')).toBe('unknown');
    expect(asked).toBe(2);
  });

  it('forgets at once, and keeps nothing that was being read meanwhile', async () => {
    let answer: CallerToken | undefined = token;
    let release: () => void = () => {};
    const cache = new TokenCache(async () => {
      const seen = answer;
      await new Promise<void>((resolve) => (release = resolve));
      return seen;
    });
    const stale = cache.find(sha256(KEY));
    answer = undefined;
    cache.forget(sha256(KEY));
    release();
    expect(await stale).toBe(token);
    const fresh = cache.find(sha256(KEY));
    release();
    expect(await fresh).toBeUndefined();
  });
});

describe('extractKey', () => {
  it.each([
    ['a bearer token', { authorization: `Bearer ${KEY}` }, {}],
    ['x-api-key', { 'x-api-key': KEY }, {}],
    ['x-goog-api-key', { 'x-goog-api-key': KEY }, {}],
    ['?key=', {}, { key: KEY }],
    ['a subprotocol', { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${KEY}` }, {}],
  ])('reads %s', (_form, headers, query) => {
    expect(extractKey(headers, query)).toBe(KEY);
  });

  it('goes by the first of several: Authorization, x-api-key, x-goog-api-key, ?key=', () => {
    const [other, third] = ['sk-other-key-0000', 'sk-third-key-0000'];
    const headers = { authorization: `Bearer ${KEY}`, 'x-api-key': other, 'x-goog-api-key': third };
    expect(extractKey(headers, { key: third })).toBe(KEY);
    expect(extractKey({ 'x-api-key': KEY, 'x-goog-api-key': other }, { key: third })).toBe(KEY);
    expect(extractKey({ 'x-goog-api-key': KEY }, { key: third })).toBe(KEY);
  });

  it.each([
    [{}, {}],
    [{ authorization: 'Bearer ' }, {}],
    [{ authorization: `Basic ${KEY}` }, {}],
    [{ authorization: "Bearer sk-' or 1=1 --" }, {}],
    [{ authorization: `Bearer ${'sk-'.padEnd(70_000, 'a')}` }, {}],
    [{ 'x-api-key': ['sk-0123456789', 'sk-0123456789'] }, {}],
    [{}, { key: ['sk-0123456789', 'x'] }],
    [{ authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc' }, {}],
  ])('refuses %j %j', (headers, query) => {
    expect(() => extractKey(headers as Record<string, string>, query)).toThrow(GatewayError);
  });
});
