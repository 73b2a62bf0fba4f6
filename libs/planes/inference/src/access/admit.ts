import { type CallerToken, GatewayError, HOPS_HEADER, readHops } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import type { Kit } from '../kit.js';
import { extractKey, refuseKey } from './extract-key.js';
import type { TokenCache } from './token-cache.js';

/**
 * Who is calling.
 *
 * @throws GatewayError `invalid_api_key` for a missing, unknown, disabled, deleted or expired key;
 *   `service_unavailable` when an unseen key cannot be looked up; `loop_detected` when the call came through this
 *   installation before.
 */
export async function admit(
  request: FastifyRequest,
  { tokens, installation }: Pick<Kit, 'tokens' | 'installation'>,
): Promise<CallerToken> {
  readHops(request.headers[HOPS_HEADER], installation);
  const key = extractKey(request.headers, request.query);
  const token = await findToken(key, tokens);
  if (!token || token.disabled) throw refuseKey();
  if (token.expiresAt !== undefined && token.expiresAt <= Date.now()) {
    throw new GatewayError('invalid_api_key', 'The API key has expired.');
  }
  return token;
}

async function findToken(key: string, tokens: TokenCache): Promise<CallerToken | undefined> {
  try {
    return await tokens.lookUp(key);
  } catch (error) {
    throw new GatewayError('service_unavailable', 'API keys cannot be checked at the moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
}
