import { type Agent, request } from 'undici';
import { createAgent } from '../create-agent.js';
import { UpstreamFailure } from './upstream-call.js';

/** A grant that a token server turns into an access token. */
export interface Grant {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
}

interface Kept {
  readonly token: Promise<string>;
  expiresMs: number;
}

const EXCHANGE_TIMEOUT_MS = 10_000;
/** A token is given up this long before it expires, so that none expires on the way. */
const MARGIN_MS = 120_000;

/** Access tokens by key, fetched once and kept until shortly before they expire. */
export class TokenExchange {
  readonly #kept = new Map<string, Kept>();
  readonly #agent = createAgent();

  /** @throws UpstreamFailure when the token server cannot be reached or refuses the grant. */
  obtain(cacheKey: string, makeGrant: () => Grant): Promise<string> {
    const kept = this.#kept.get(cacheKey);
    if (kept && kept.expiresMs > performance.now()) return kept.token;
    const fetching = exchange(makeGrant(), this.#agent);
    const entry: Kept = { token: fetching.then(({ token }) => token), expiresMs: Number.POSITIVE_INFINITY };
    this.#kept.set(cacheKey, entry);
    fetching.then(
      ({ lifetimeMs }) => (entry.expiresMs = performance.now() + Math.max(0, lifetimeMs - MARGIN_MS)),
      () => this.#kept.delete(cacheKey),
    );
    return entry.token;
  }
}

async function exchange(grant: Grant, agent: Agent): Promise<{ token: string; lifetimeMs: number }> {
  const { status, text } = await post(grant, agent);
  const answer = parse(text);
  if (status !== 200 || typeof answer.access_token !== 'string') {
    throw new UpstreamFailure('broken', `the token server answered with status ${status}`);
  }
  const seconds = typeof answer.expires_in === 'number' ? answer.expires_in : 0;
  return { token: answer.access_token, lifetimeMs: seconds * 1_000 };
}

async function post(grant: Grant, agent: Agent): Promise<{ status: number; text: string }> {
  try {
    const reply = await request(grant.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(grant.form).toString(),
      headersTimeout: EXCHANGE_TIMEOUT_MS,
      bodyTimeout: EXCHANGE_TIMEOUT_MS,
      dispatcher: agent,
    });
    return { status: reply.statusCode, text: await reply.body.text() };
  } catch {
    throw new UpstreamFailure('unreachable', 'the token server cannot be reached');
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
