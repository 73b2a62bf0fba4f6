import { generateKeyPairSync } from 'node:crypto';
import { newApiKey, newId } from '@mg/contract';
import { decodeJwt, decodeProtectedHeader, EncryptJWT, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADMIN,
  ENCRYPTION_KEY,
  FIRST_KEY,
  JWT_SECRET,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from '../testing/open-test-console.js';
import type { SessionAnswer } from './session-tokens.js';

let bed: TestBed;
let console: OpenConsole;
let session: SessionAnswer;
let ended: SessionAnswer;
let claims: Record<string, unknown>;

const SECRET = toKey(JWT_SECRET);
const HEADER = { alg: 'HS256', typ: 'at+jwt' };
const PAIR = generateKeyPairSync('rsa', { modulusLength: 2_048 });

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  const login = async () =>
    (
      await console.call<SessionAnswer>('POST', '/api/v1/auth/login', {
        body: { email: ADMIN.email, password: ADMIN.password },
      })
    ).body;
  [session, ended] = [await login(), await login()];
  await console.call('POST', '/api/v1/auth/logout', { session: ended.access_token });
  claims = decodeJwt(session.access_token);
});

afterAll(() => bed.stop());

function toKey(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function encode(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

/** Signs the true claims, but for what is given, with the true key by default. `undefined` takes a claim away. */
function sign(
  change: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key: Uint8Array = SECRET,
): Promise<string> {
  return new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ ...HEADER, ...header } as { alg: string })
    .sign(key);
}

function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

/** The true token with one of its parts replaced. */
function replacePart(place: 0 | 1 | 2, part: string): string {
  return session.access_token.split('.').with(place, part).join('.');
}

const truePayload = () => encode(claims);

type Vector = [string, () => Promise<string> | string];

const SIGNATURES: Vector[] = [
  ['alg none', () => `${encode({ ...HEADER, alg: 'none' })}.${truePayload()}.`],
  ['alg None', () => `${encode({ ...HEADER, alg: 'None' })}.${truePayload()}.`],
  ['alg NONE', () => `${encode({ ...HEADER, alg: 'NONE' })}.${truePayload()}.`],
  ['alg none with the true signature', () => replacePart(0, encode({ ...HEADER, alg: 'none' }))],
  ['an empty alg', () => replacePart(0, encode({ ...HEADER, alg: '' }))],
  ['no alg', () => replacePart(0, encode({ typ: 'at+jwt' }))],
  ['alg as a list', () => replacePart(0, encode({ ...HEADER, alg: ['HS256'] }))],
  ['alg null', () => replacePart(0, encode({ ...HEADER, alg: null }))],
  ['alg in lower case', () => replacePart(0, encode({ ...HEADER, alg: 'hs256' }))],
  ['RS256 in the header of an HS256 token', () => replacePart(0, encode({ ...HEADER, alg: 'RS256' }))],
  ['HS384', () => sign({}, { alg: 'HS384' }, toKey(JWT_SECRET.repeat(2)))],
  ['HS512', () => sign({}, { alg: 'HS512' }, toKey(JWT_SECRET.repeat(2)))],
  ['RS256 by a key of its own', () => signRsa({})],
  ['RS256 with its own key in the header', () => signRsa({ jwk: PAIR.publicKey.export({ format: 'jwk' }) })],
  ['RS256 with a key to fetch', () => signRsa({ jku: 'http://127.0.0.1:1/keys' })],
  [
    'a public key as the secret',
    () => sign({}, {}, toKey(String(PAIR.publicKey.export({ type: 'spki', format: 'pem' })))),
  ],
  ['no signature', () => session.access_token.split('.').slice(0, 2).join('.')],
  ['an empty signature', () => replacePart(2, '')],
  ['a signature of zeros', () => replacePart(2, encode('\0'.repeat(32)))],
  ['a signature cut short', () => session.access_token.slice(0, -8)],
  ['a signature with a tail', () => `${session.access_token}AAAA`],
  ['the signature of the refresh token', () => replacePart(2, session.refresh_token.split('.')[2] ?? '')],
  ['another payload under the signature', () => replacePart(1, encode({ ...claims, role: 'administrator' }))],
  ['an empty secret', () => sign({}, {}, new Uint8Array(32))],
  ['the secret with a blank', () => sign({}, {}, toKey(` ${JWT_SECRET}`))],
  ['the secret with a line end', () => sign({}, {}, toKey(`${JWT_SECRET}\n`))],
  ['the encryption key', () => sign({}, {}, toKey(ENCRYPTION_KEY))],
  ['an API key as the secret', () => sign({}, {}, toKey(FIRST_KEY.padEnd(32, '0')))],
];

const HEADERS: Vector[] = [
  ['typ JWT', () => sign({}, { typ: 'JWT' })],
  ['no typ', () => sign({}, { typ: undefined })],
  ['the typ of refresh tokens', () => sign({}, { typ: 'rt+jwt' })],
  ['an unknown critical header', () => replacePart(0, encode({ ...HEADER, crit: ['x'], x: 1 }))],
  ['a payload that is not encoded', () => replacePart(0, encode({ ...HEADER, b64: false, crit: ['b64'] }))],
  ['a kid that is a path', () => replacePart(0, encode({ ...HEADER, kid: '../../../../dev/null' }))],
  ['a kid that is SQL', () => replacePart(0, encode({ ...HEADER, kid: "' union select 'x" }))],
  ['an encrypted token', () => encrypt()],
];

const CLAIMS: Vector[] = [
  ['another issuer', () => sign({ iss: 'elsewhere' })],
  ['no issuer', () => sign({ iss: undefined })],
  ['a list of issuers', () => sign({ iss: ['model-gateway'] })],
  ['the audience of the gateway', () => sign({ aud: 'gateway' })],
  ['no audience', () => sign({ aud: undefined })],
  ['a list of audiences', () => sign({ aud: ['console', 'gateway'] })],
  ['a list of the one audience', () => sign({ aud: ['console'] })],
  ['no expiry', () => sign({ exp: undefined })],
  ['an expiry in the past', () => sign({ exp: inSeconds(-1) })],
  ['an expiry in text', () => sign({ exp: String(inSeconds(300)) })],
  ['not valid yet', () => sign({ nbf: inSeconds(300) })],
  ['no moment of issue', () => sign({ iat: undefined })],
  ['no user', () => sign({ sub: undefined })],
  ['an unknown user', () => sign({ sub: newId() })],
  ['a user that is no id', () => sign({ sub: "' or 1=1 --" })],
  ['a list of users', () => sign({ sub: [claims['sub']] })],
  ['a user by address', () => sign({ sub: ADMIN.email })],
  ['no session', () => sign({ sid: undefined })],
  ['an unknown session', () => sign({ sid: newId() })],
  ['a session that is no id', () => sign({ sid: '*' })],
  ['a session that has ended', () => sign({ sid: decodeJwt(ended.access_token)['sid'] })],
  ['another version', () => sign({ version: 1 })],
  ['a version before', () => sign({ version: -1 })],
  ['no version', () => sign({ version: undefined })],
  ['a version in text', () => sign({ version: '0' })],
  ['a version that is true', () => sign({ version: true })],
];

const OTHERS: Vector[] = [
  ['the refresh token', () => session.refresh_token],
  ['a token that was signed out', () => ended.access_token],
  ['an API key', () => FIRST_KEY],
  ['an API key of nobody', () => newApiKey()],
  ['garbage', () => 'garbage'],
  ['dots', () => '..'],
  ['four parts', () => `${session.access_token}.${encode('x')}`],
  ['JSON in place of a token', () => encode(claims)],
  ['the token twice', () => `${session.access_token}${session.access_token}`],
  ['a token far too long', () => `${session.access_token}${'A'.repeat(5_000)}`],
];

async function signRsa(header: Record<string, unknown>): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ ...HEADER, ...header, alg: 'RS256' } as { alg: string })
    .sign(PAIR.privateKey);
}

function encrypt(): Promise<string> {
  return new EncryptJWT(claims)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', typ: 'at+jwt' })
    .encrypt(SECRET.slice(0, 32));
}

async function statusOf(token: string): Promise<number> {
  return (await console.call('GET', '/api/v1/me', { session: token })).status;
}

describe('T10: a session', () => {
  it('is distinguished from other text by the vector alone', async () => {
    expect(decodeProtectedHeader(session.access_token)).toMatchObject(HEADER);
    expect(await statusOf(session.access_token)).toBe(200);
    expect(await statusOf(await sign())).toBe(200);
    expect(SIGNATURES.length + HEADERS.length + CLAIMS.length + OTHERS.length).toBeGreaterThanOrEqual(60);
  });

  it.each([...SIGNATURES, ...HEADERS, ...CLAIMS, ...OTHERS])('T10: is not %s', async (_name, make) => {
    expect(await statusOf(await make())).toBe(401);
  });

  it.each([
    ['basic credentials', { authorization: `Basic ${btoa('admin:x')}` }],
    ['an API key in its own header', { 'x-api-key': FIRST_KEY }],
    ['an API key in Google’s header', { 'x-goog-api-key': FIRST_KEY }],
    ['nothing', {}],
  ])('T10: is not %s', async (_name, headers) => {
    expect((await console.call('GET', '/api/v1/tokens', { headers })).status).toBe(401);
  });

  it('T10: is not an API key in the query, nor a session there', async () => {
    expect((await console.call('GET', `/api/v1/me?key=${FIRST_KEY}`)).status).toBe(401);
    expect((await console.call('GET', `/api/v1/me?access_token=${session.access_token}`)).status).toBe(401);
  });
});
