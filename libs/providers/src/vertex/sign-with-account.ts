import { createHash } from 'node:crypto';
import { GatewayError, omitUndefined } from '@mg/contract';
import { BETA_HEADER, filterPortableBetas } from '../claude-betas.js';
import type { OutgoingRequest, SigningContext } from '../signing.js';
import { makeAccountGrant, readServiceAccount } from './service-account.js';

/**
 * Adds an access token of the channel's service account.
 *
 * @throws GatewayError `upstream_unavailable` when there is no usable account, and what obtaining a token throws.
 */
export async function signWithAccount(
  request: OutgoingRequest,
  context: SigningContext,
): Promise<OutgoingRequest> {
  const text = findAccountText(context);
  const token = await context.obtainToken(nameAccount(text), () => {
    const account = readServiceAccount(text);
    if (!account) refuse('its service account is not a usable key file');
    return makeAccountGrant(account, context.nowMs);
  });
  const { [BETA_HEADER]: betas, ...headers } = request.headers;
  const known = filterPortableBetas(betas).join(',');
  return {
    ...request,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...omitUndefined({ [BETA_HEADER]: known === '' ? undefined : known }),
    },
  };
}

function findAccountText({ apiKey, settings }: SigningContext): string {
  const { service_account: account } = settings;
  if (typeof account === 'string') return account;
  if (account !== undefined) return JSON.stringify(account);
  return apiKey ?? refuse('it has no service account');
}

/** Another key file is another account, whatever else stays the same. */
function nameAccount(text: string): string {
  return `vertex ${createHash('sha256').update(text).digest('base64url')}`;
}

function refuse(why: string): never {
  throw new GatewayError('upstream_unavailable', `The Vertex channel cannot be called: ${why}.`);
}
