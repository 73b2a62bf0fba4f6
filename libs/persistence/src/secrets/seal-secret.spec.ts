import { describe, expect, it } from 'vitest';
import { openChannelSecrets, sealChannelSecrets } from './seal-channel-secrets.js';
import { deriveSecretKey, openSecret, sealSecret, SecretError } from './seal-secret.js';

const key = deriveSecretKey('a'.repeat(32));
const row = '019a0000-0000-7000-8000-000000000001';

describe('sealSecret', () => {
  it('opens for the same row and key only', () => {
    const sealed = sealSecret('sk-provider-ключ', row, key);
    expect(openSecret(sealed, row, key)).toBe('sk-provider-ключ');
    expect(() => openSecret(sealed, '019a0000-0000-7000-8000-000000000002', key)).toThrow(SecretError);
    expect(() => openSecret(sealed, row, deriveSecretKey('b'.repeat(32)))).toThrow(/another ENCRYPTION_KEY/);
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

describe('sealChannelSecrets', () => {
  it('keeps keys in their order, and settings', () => {
    for (const secrets of [
      { apiKeys: ['k1', 'k2'], settings: {} },
      { apiKeys: [], settings: { service_account: '{"client_email":"a@b"}', nested: { list: [1] } } },
    ]) {
      expect(openChannelSecrets(sealChannelSecrets(secrets, row, key), row, key)).toEqual(secrets);
    }
  });

  it('reads a list of keys alone, as it was sealed before there were secret settings', () => {
    const sealed = sealSecret('["k1","k2"]', row, key);
    expect(openChannelSecrets(sealed, row, key)).toEqual({ apiKeys: ['k1', 'k2'], settings: {} });
  });
});
