import { type CallerToken, GatewayError, HOPS_HEADER, readHops, sha256 } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import { extractKey, refuseKey } from './extract-key.js';
import type { FreeShares } from './fair-share.js';
import type { TokenCache } from './token-cache.js';

const EXPIRED = 'The API key has expired.';
const DISABLED = 'The API key, or the user whom it belongs to, is disabled.';

/** What admitting callers works with. */
export interface Admission {
  readonly tokens: TokenCache;
  readonly shares: FreeShares;
  /** Name of this installation in the header that detects loops. */
  readonly installation: string;
}

/** A key that is known and not let in. The caller is told no more of it than a stranger, the log says why. */
export class RefusedKey extends GatewayError {
  constructor(
    readonly token: CallerToken,
    message: string,
    readonly why: string,
  ) {
    super('invalid_api_key', message);
  }
}

/**
 * Who is calling.
 *
 * @throws GatewayError `invalid_api_key` for a missing, unknown, disabled, deleted or expired key, as `RefusedKey` where it is known;
 *   `rate_limited` when its address has sent many such keys; `service_unavailable` when an unseen key cannot be looked up; `loop_detected` when the call came through this
 *   installation before.
 */
export async function admit(
  request: FastifyRequest,
  { tokens, installation, shares }: Admission,
): Promise<CallerToken> {
  readHops(request.headers[HOPS_HEADER], installation);
  const key = extractKey(request.headers, request.query);
  const token = await findToken(key, { tokens, shares }, request);
  if (!token || token.disabled) {
    await shares.unknownKeys.count(request.ip);
    const refusal = refuseKey();
    throw token ? new RefusedKey(token, refusal.message, DISABLED) : refusal;
  }
  if (token.expiresAt !== undefined && token.expiresAt <= Date.now()) {
    throw new RefusedKey(token, EXPIRED, EXPIRED);
  }
  return token;
}

/** Keys that nobody has used for a while are asked for one after another, so that made-up ones do not fill the database. */
async function findToken(
  key: string,
  { tokens, shares }: Pick<Admission, 'tokens' | 'shares'>,
  { ip }: FastifyRequest,
): Promise<CallerToken | undefined> {
  const keyHash = sha256(key);
  const known = tokens.recall(keyHash);
  if (known !== undefined) return known === 'unknown' ? undefined : known;
  try {
    return await shares.unknownKeys.takeTurn(ip, () => tokens.find(keyHash));
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('service_unavailable', 'API keys cannot be checked at the moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
}
