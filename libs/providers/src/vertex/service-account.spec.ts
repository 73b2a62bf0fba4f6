import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { OutgoingRequest, SigningContext } from '../signing.js';
import { makeAccountGrant, readServiceAccount } from './service-account.js';
import { signWithAccount } from './sign-with-account.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const FILE = {
  type: 'service_account',
  client_email: 'gateway@example.iam.gserviceaccount.com',
  private_key: PEM,
  private_key_id: 'key-1',
};
const NOW_MS = Date.UTC(2026, 10, 21, 12);

function decode(part: string | undefined): unknown {
  return JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
}

describe('readServiceAccount', () => {
  it.each([
    ['no JSON', 'sk-something'],
    ['no object', '[]'],
    ['no address', JSON.stringify({ private_key: PEM })],
    ['no key', JSON.stringify({ client_email: FILE.client_email })],
    ['a broken key', JSON.stringify({ ...FILE, private_key: '-----BEGIN PRIVATE KEY-----\nAA\n' })],
  ])('%s is none', (_, text) => {
    expect(readServiceAccount(text)).toBeUndefined();
  });
});

describe('makeAccountGrant', () => {
  it('is a JWT that the public key verifies, good for an hour', () => {
    const account = readServiceAccount(JSON.stringify(FILE));
    if (!account) throw new Error('no account');
    const grant = makeAccountGrant(account, NOW_MS);
    expect(grant.url).toBe('https://oauth2.googleapis.com/token');
    expect(grant.form.grant_type).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [header, claims, signature] = (grant.form.assertion ?? '').split('.');
    expect(decode(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    expect(decode(claims)).toEqual({
      iss: FILE.client_email,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: 'https://oauth2.googleapis.com/token',
      iat: NOW_MS / 1_000,
      exp: NOW_MS / 1_000 + 3_600,
    });
    const proof = Buffer.from(signature ?? '', 'base64url');
    expect(verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), publicKey, proof)).toBe(true);
  });
});

const request: OutgoingRequest = {
  url: new URL('https://aiplatform.googleapis.com/v1'),
  headers: { 'anthropic-beta': 'effort-2025-11-24, some-beta-of-tomorrow' },
  body: Buffer.from('{}'),
};

describe('signWithAccount', () => {
  const obtainToken = vi.fn<SigningContext['obtainToken']>(async (_, makeGrant) => {
    makeGrant();
    return 'ya29.token';
  });
  const context = { nowMs: NOW_MS, obtainToken, apiKey: undefined, settings: {} } satisfies SigningContext;

  it.each([
    ['the settings', { ...context, settings: { service_account: JSON.stringify(FILE) } }],
    ['the settings, as an object', { ...context, settings: { service_account: FILE } }],
    ['the API key', { ...context, apiKey: JSON.stringify(FILE) }],
  ])('takes the account from %s and passes only betas that are known there', async (_, given) => {
    const signed = await signWithAccount(request, given);
    expect(signed.headers).toEqual({
      authorization: 'Bearer ya29.token',
      'anthropic-beta': 'effort-2025-11-24',
    });
  });

  it('keeps tokens of another key file apart', async () => {
    obtainToken.mockClear();
    await signWithAccount(request, { ...context, apiKey: JSON.stringify(FILE) });
    await signWithAccount(request, {
      ...context,
      apiKey: JSON.stringify({ ...FILE, private_key_id: 'key-2' }),
    });
    const keys = obtainToken.mock.calls.map(([key]) => key);
    expect(new Set(keys).size).toBe(2);
    expect(keys.join()).not.toContain(PEM.slice(40, 60));
  });

  it.each([
    ['no account', context],
    ['an API key that is none', { ...context, apiKey: 'AIza-something' }],
  ])('refuses %s without showing it', async (_, given) => {
    const refused = signWithAccount(request, given);
    await expect(refused).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await expect(refused).rejects.not.toThrow('AIza');
  });
});
