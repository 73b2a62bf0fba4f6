import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { omitUndefined } from '@mg/contract';
import { isObject } from '@mg/protocols';
import type { TokenGrant } from '../signing.js';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFETIME_SECONDS = 3_600;

/** What a service account's key file says, as far as it is needed. */
export interface ServiceAccount {
  readonly clientEmail: string;
  readonly privateKey: KeyObject;
  readonly keyId: string | undefined;
  readonly tokenUrl: string;
}

/** Reads the JSON of a key file; `undefined` when it is none. */
export function readServiceAccount(text: string): ServiceAccount | undefined {
  try {
    const file: unknown = JSON.parse(text);
    if (!isObject(file)) return undefined;
    const { client_email, private_key, private_key_id, token_uri } = file;
    if (typeof client_email !== 'string' || typeof private_key !== 'string') return undefined;
    const privateKey = createPrivateKey(private_key);
    if (privateKey.asymmetricKeyType !== 'rsa') return undefined;
    return {
      clientEmail: client_email,
      privateKey,
      keyId: typeof private_key_id === 'string' ? private_key_id : undefined,
      tokenUrl: typeof token_uri === 'string' ? token_uri : TOKEN_URL,
    };
  } catch {
    return undefined;
  }
}

/**
 * The grant that Google's token server turns into an access token: a JWT signed by the account's key.
 *
 * @see https://developers.google.com/identity/protocols/oauth2/service-account
 */
export function makeAccountGrant(account: ServiceAccount, nowMs: number): TokenGrant {
  const issuedAt = Math.floor(nowMs / 1_000);
  const header = omitUndefined({ alg: 'RS256', typ: 'JWT', kid: account.keyId });
  const claims = {
    iss: account.clientEmail,
    scope: SCOPE,
    aud: account.tokenUrl,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(signed), account.privateKey).toString('base64url');
  return { url: account.tokenUrl, form: { grant_type: GRANT_TYPE, assertion: `${signed}.${signature}` } };
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
