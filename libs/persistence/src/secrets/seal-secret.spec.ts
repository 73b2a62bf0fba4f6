import { describe, expect, it } from 'vitest';
import {
  openCredentials,
  removeCredential,
  reencryptCredential,
  sealAllCredentials,
  sealCredential,
} from './channel-credentials.js';
import { openChannelSecrets } from './open-channel-secrets.js';
import {
  deriveSecretKey,
  isFingerprintOf,
  isSealedWith,
  openSecret,
  sealSecret,
  SecretError,
} from './seal-secret.js';

const key = deriveSecretKey('a'.repeat(32));
const otherKey = deriveSecretKey('b'.repeat(32));
const row = '019a0000-0000-7000-8000-000000000001';

describe('sealSecret', () => {
  it('opens for the same row and key only', () => {
    const sealed = sealSecret('sk-provider-ключ', row, key);
    expect(openSecret(sealed, row, key)).toBe('sk-provider-ключ');
    expect(() => openSecret(sealed, '019a0000-0000-7000-8000-000000000002', key)).toThrow(SecretError);
    expect(() => openSecret(sealed, row, otherKey)).toThrow(/another ENCRYPTION_KEY/);
  });

  it('never repeats itself and shows nothing of the text', () => {
    const first = sealSecret('sk-provider-key', row, key);
    expect(sealSecret('sk-provider-key', row, key)).not.toBe(first);
    expect(first).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(first.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('provider');
  });

  it('refuses altered, cut and foreign texts', () => {
    const sealed = sealSecret('sk-provider-key', row, key);
    const altered = `${sealed.slice(0, -3)}${sealed.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    for (const text of [altered, sealed.slice(0, 20), 'sk-plain', '', `v2${sealed.slice(2)}`]) {
      expect(() => openSecret(text, row, key)).toThrow(SecretError);
    }
  });
});

describe('credentials of a channel', () => {
  it.each([
    { apiKeys: ['k1', 'k2'], settings: {} },
    { apiKeys: [], settings: { service_account: '{"client_email":"a@b"}', nested: { list: [1] } } },
  ])('keep keys in their order, and settings: %j', (secrets) => {
    expect(openCredentials(null, sealAllCredentials(secrets, row, key), row, key)).toMatchObject(secrets);
  });

  it('go before what was sealed as a whole, part by part', () => {
    const form = JSON.stringify({ keys: ['old'], settings: { a: 'old', b: 'old', c: 'old' } });
    const parts = [sealCredential('settings.a', 'new', row, key), removeCredential('settings.b')];
    expect(openCredentials(sealSecret(form, row, key), parts, row, key)).toEqual({
      apiKeys: ['old'],
      keyRefs: ['main'],
      settings: { a: 'new', c: 'old' },
    });
  });

  it('do not open in the place of another part, or of another channel', () => {
    const [keys] = sealAllCredentials({ apiKeys: ['k'], settings: {} }, row, key);
    const moved = { part: 'settings.a', sealed: keys?.sealed ?? '', removed: false };
    expect(() => openCredentials(null, [moved], row, key)).toThrow(SecretError);
    expect(() => openCredentials(null, [{ ...moved, part: 'api_keys' }], 'other', key)).toThrow(SecretError);
  });

  it('have fingerprints that tell equal values from others, for one key and one place', () => {
    const of = (value: unknown, part = 'settings.a', place = row, by = key) =>
      sealCredential(part, value, place, by).fingerprint;
    expect(of('x')).toBe(of('x'));
    const others = [
      of('y'),
      of('x', 'settings.b'),
      of('x', 'settings.a', 'other'),
      of('x', 'settings.a', row, otherKey),
    ];
    expect(others).not.toContain(of('x'));
    expect(isFingerprintOf(of('x'), key)).toBe(true);
    expect(isFingerprintOf(of('x'), otherKey)).toBe(false);
  });
});

describe('a second key', () => {
  const rotated = deriveSecretKey('b'.repeat(32), 'a'.repeat(32));

  it('opens what it sealed, and seals nothing', () => {
    expect(openSecret(sealSecret('old', row, key), row, rotated)).toBe('old');
    expect(openSecret(sealSecret('new', row, rotated), row, otherKey)).toBe('new');
    expect(() => openSecret(sealSecret('x', row, deriveSecretKey('c'.repeat(32))), row, rotated)).toThrow(
      /another ENCRYPTION_KEY/,
    );
  });

  it('leaves a part that can be sealed again with the first', () => {
    const old = sealCredential('settings.a', { secret: 1 }, row, key);
    const current = reencryptCredential(old, row, rotated);
    expect([isSealedWith(old.sealed, rotated), isSealedWith(current.sealed, rotated)]).toEqual([false, true]);
    expect(current.fingerprint).toBe(sealCredential('settings.a', { secret: 1 }, row, otherKey).fingerprint);
    expect(openCredentials(null, [current], row, otherKey).settings).toEqual({ a: { secret: 1 } });
    expect(isFingerprintOf(old.fingerprint, rotated)).toBe(true);
  });
});

describe('openChannelSecrets', () => {
  it('reads a list of keys alone, as it was sealed before there were secret settings', () => {
    const sealed = sealSecret('["k1","k2"]', row, key);
    expect(openChannelSecrets(sealed, row, key)).toEqual({ apiKeys: ['k1', 'k2'], settings: {} });
  });
});
