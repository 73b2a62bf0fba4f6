import { isIP } from 'node:net';
import {
  type CallerToken,
  GatewayError,
  HOPS_HEADER,
  readHops,
  type ScopedLimits,
  sha256,
} from '@mg/contract';
import { BATCH_LINE_HEADER, type BatchLinePayer } from '@mg/transport';
import type { FastifyRequest } from 'fastify';
import type { ShownLimit } from '../edge/limit-headers.js';
import { type BatchLines, readNativeStep } from './batch-lines.js';
import { extractKey, findKey, refuseKey } from './extract-key.js';
import type { FreeShares } from './fair-share.js';
import type { TokenCache } from './token-cache.js';

const EXPIRED = 'The API key has expired.';
const OTHER_WALLET = 'The API key pays from another wallet than the one that the batch belongs to.';
const DISABLED = 'The API key, or the user whom it belongs to, is disabled.';

/** What admitting callers works with. */
export interface Admission {
  readonly tokens: TokenCache;
  /** The token of an id, also one that is deleted or disabled. */
  readonly findToken: (id: string) => Promise<CallerToken | undefined>;
  readonly shares: FreeShares;
  readonly batchLines: BatchLines;
  readonly limiter: { find(limited: readonly ScopedLimits[]): readonly ShownLimit[] };
  /** Name of this installation in the header that detects loops. */
  readonly installation: string;
}

/** A key that is known and not let in. The log says why; the caller is told only what `message` says. */
export class RefusedKey extends GatewayError {
  constructor(
    readonly token: CallerToken,
    message: string,
    readonly why: string,
    code: 'invalid_api_key' | 'address_not_allowed' = 'invalid_api_key',
  ) {
    super(code, message);
  }
}

/**
 * Who is calling. Whatever is answered from here on says what is left of the limits of whoever is let in; who is refused learns
 * nothing of them.
 *
 * @throws GatewayError `invalid_api_key` for a missing, unknown, disabled, deleted or expired key, as `RefusedKey` where it is known;
 *   `address_not_allowed`, as `RefusedKey`, from an address that is not among the key's; `rate_limited` when its address has sent
 *   many such keys; `service_unavailable` when an unseen key cannot be looked up; `loop_detected` when the call came through
 *   this installation before.
 */
export function admit(request: FastifyRequest, admission: Admission): CallerToken | Promise<CallerToken> {
  readHops(request.headers[HOPS_HEADER], admission.installation);
  if (request.headers[BATCH_LINE_HEADER] !== undefined) return admitLine(request, admission);
  const admitted = admitClient(sha256(extractKey(request.headers, request.query)), request, admission);
  return admitted instanceof Promise
    ? admitted.then((token) => showOwnLimits(token, request, admission))
    : showOwnLimits(admitted, request, admission);
}

/**
 * Who is calling by a link that was made for their key; refused as the key itself is. Whoever has the link alone learns nothing of the
 * key's limits.
 *
 * @throws GatewayError as `admit`.
 */
export function admitByLink(
  keyHash: string,
  request: FastifyRequest,
  admission: Admission,
): CallerToken | Promise<CallerToken> {
  readHops(request.headers[HOPS_HEADER], admission.installation);
  return admitClient(keyHash, request, admission);
}

function admitClient(
  keyHash: string,
  request: FastifyRequest,
  admission: Admission,
): CallerToken | Promise<CallerToken> {
  const admitted = admitKey(keyHash, request, admission);
  return admitted instanceof Promise
    ? admitted.then((token) => letIn(token, request, admission))
    : letIn(admitted, request, admission);
}

/**
 * The limits of the key that a request comes with, where this process knows the key and would let it in: for what is answered before
 * anybody is admitted. Nobody is asked.
 */
export function recallLimits(
  request: FastifyRequest,
  { tokens, limiter }: Pick<Admission, 'tokens' | 'limiter'>,
): readonly ShownLimit[] | undefined {
  const key = findKey(request.headers, request.query);
  const known = key === undefined ? undefined : tokens.recall(sha256(key));
  if (known === undefined || known === 'unknown' || known.limits === undefined) return undefined;
  if (known.disabled || isExpired(known) || !mayComeFrom(known, addressOf(request))) return undefined;
  return limiter.find(known.limits);
}

/**
 * A line of a batch comes with the hash of its key, which a worker has signed. The batch stays its wallet's. Its address is the
 * worker's: the client's was checked when the batch was made.
 */
async function admitLine(request: FastifyRequest, admission: Admission): Promise<CallerToken> {
  const payer = admission.batchLines.open(request);
  if (!payer) throw refuseKey();
  const step = readNativeStep(request);
  if (step?.kind === 'settle' || step?.kind === 'release') return admitEnd(payer, step.tokenId, admission);
  const token = await admitKey(payer.keyHash, request, admission);
  if (token.walletId === payer.walletId) return token;
  throw new RefusedKey(token, OTHER_WALLET, OTHER_WALLET);
}

/**
 * What a provider has carried out is paid for by the wallet that it was held in, whatever became of the key meanwhile: whoever
 * deletes it, or gives it another key, is charged all the same.
 */
async function admitEnd(
  { walletId }: BatchLinePayer,
  tokenId: string,
  { findToken }: Admission,
): Promise<CallerToken> {
  const token = await findToken(tokenId).catch((error: unknown) => {
    throw unableToCheck(error);
  });
  if (token) return { ...token, walletId };
  throw refuseKey();
}

function admitKey(
  keyHash: string,
  request: FastifyRequest,
  { tokens, shares }: Admission,
): CallerToken | Promise<CallerToken> {
  const known = tokens.recall(keyHash);
  if (known === undefined || known === 'unknown' || known.disabled) {
    return admitSlowly(keyHash, known, { tokens, shares }, request);
  }
  return checkExpiry(known);
}

/** Whoever comes with a key that is not known to be good waits for a turn. */
async function admitSlowly(
  keyHash: string,
  known: CallerToken | 'unknown' | undefined,
  { tokens, shares }: Pick<Admission, 'tokens' | 'shares'>,
  { ip }: FastifyRequest,
): Promise<CallerToken> {
  const token = known ?? (await findToken(keyHash, { tokens, shares }, ip));
  if (token === undefined || token === 'unknown' || token.disabled) {
    await shares.unknownKeys.count(ip);
    const refusal = refuseKey();
    throw token === undefined || token === 'unknown'
      ? refusal
      : new RefusedKey(token, refusal.message, DISABLED);
  }
  return checkExpiry(token);
}

function checkExpiry(token: CallerToken): CallerToken {
  if (isExpired(token)) throw new RefusedKey(token, EXPIRED, EXPIRED);
  return token;
}

function isExpired({ expiresAt }: CallerToken): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}

function letIn(
  token: CallerToken,
  request: FastifyRequest,
  { shares }: Admission,
): CallerToken | Promise<CallerToken> {
  const address = addressOf(request);
  if (!mayComeFrom(token, address)) return refuseAddress(token, address, shares);
  return token;
}

function showOwnLimits(token: CallerToken, request: FastifyRequest, { limiter }: Admission): CallerToken {
  if (token.limits) request.shownLimits = limiter.find(token.limits);
  return token;
}

function mayComeFrom({ allowedIps }: CallerToken, address: string): boolean {
  return allowedIps === undefined || allowedIps.has(address);
}

/** A connection that has closed has no address, and a proxy may pass on what is none. */
function addressOf({ ip }: FastifyRequest): string {
  return isIP(ip) === 0 ? 'unknown' : ip;
}

/** Counted for the address, not for the key: whoever has stolen it takes nothing from its owner. */
async function refuseAddress(
  token: CallerToken,
  address: string,
  { unknownKeys }: FreeShares,
): Promise<never> {
  await unknownKeys.count(address);
  const message = `The API key may not be used from the address ${address}.`;
  throw new RefusedKey(token, message, message, 'address_not_allowed');
}

/** Keys that nobody has used for a while are asked for one after another, so that made-up ones do not fill the database. */
async function findToken(
  keyHash: string,
  { tokens, shares }: Pick<Admission, 'tokens' | 'shares'>,
  ip: string,
): Promise<CallerToken | undefined> {
  try {
    return await shares.unknownKeys.takeTurn(ip, () => tokens.find(keyHash));
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw unableToCheck(error);
  }
}

function unableToCheck(cause: unknown): GatewayError {
  return new GatewayError('service_unavailable', 'API keys cannot be checked at the moment.', {
    retryAfter: 1,
    cause,
  });
}
