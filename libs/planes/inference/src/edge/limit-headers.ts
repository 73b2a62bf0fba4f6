import type { OutgoingHttpHeaders } from 'node:http';
import type { ClientProtocolName } from '@mg/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findDialect } from './find-dialect.js';

const SECOND_MS = 1_000;
const OPENAI_HEADERS = {
  requests: ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  tokens: ['x-ratelimit-limit-tokens', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
} as const;

declare module 'fastify' {
  interface FastifyRequest {
    /** The limits that its caller is under, as soon as it is known who calls: what is left of them stands on every answer. */
    shownLimits: readonly ShownLimit[] | undefined;
  }
}

/** What is left of a limit. */
export interface LimitFigures {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** One limit of a caller, whose figures are those of the moment in which they are read. */
export interface ShownLimit extends LimitFigures {
  readonly measure: 'rpm' | 'rpd' | 'tpm' | 'concurrency';
}

/**
 * Takes an answer past Fastify, whose hooks on the way out have nothing to do there: whole answers and streams of calls, and
 * upgrades. Nobody else calls `hijack`, so that no answer goes without its limits.
 *
 * @returns what hooks have set, such as the request's id, and what is left of the caller's limits.
 */
export function takeOver(reply: FastifyReply): OutgoingHttpHeaders {
  // A copy. Fastify's own type is wider than any header of ours.
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  addLimits(headers, reply.request);
  reply.hijack();
  return headers;
}

/**
 * What is left of the limits of a request's caller, in the words of its client, as far as this gateway knows: of several that count the
 * same, the one of which the least is left. Calls at the same time have no header in either dialect.
 */
export function describeLimits(request: FastifyRequest): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  addLimits(headers, request);
  return headers;
}

/** Every answer to a limited key comes through here, so nothing is made but the headers. */
function addLimits(headers: OutgoingHttpHeaders, request: FastifyRequest): void {
  const { shownLimits } = request;
  if (shownLimits === undefined) return;
  let requests: ShownLimit | undefined;
  let tokens: ShownLimit | undefined;
  for (const limit of shownLimits) {
    if (limit.measure === 'tpm') tokens = findTighter(tokens, limit);
    else if (limit.measure !== 'concurrency') requests = findTighter(requests, limit);
  }
  const dialect = findDialect(request);
  if (requests) addLimitHeaders(headers, dialect, 'requests', requests);
  if (tokens) addLimitHeaders(headers, dialect, 'tokens', tokens);
}

function findTighter(tightest: ShownLimit | undefined, limit: ShownLimit): ShownLimit {
  return tightest && tightest.remaining <= limit.remaining ? tightest : limit;
}

/**
 * Adds a limit in the headers that a client's SDK reads: https://platform.openai.com/docs/guides/rate-limits,
 * https://docs.anthropic.com/en/api/rate-limits
 */
export function addLimitHeaders(
  headers: OutgoingHttpHeaders,
  dialect: ClientProtocolName,
  what: 'requests' | 'tokens',
  { limit, remaining, resetMs }: LimitFigures,
): void {
  if (dialect === 'anthropic-messages') {
    const name = `anthropic-ratelimit-${what}`;
    const resetAt = new Date(Math.ceil((Date.now() + resetMs) / SECOND_MS) * SECOND_MS);
    headers[`${name}-limit`] = String(limit);
    headers[`${name}-remaining`] = String(remaining);
    headers[`${name}-reset`] = resetAt.toISOString().replace('.000Z', 'Z');
    return;
  }
  const [ofLimit, ofRemaining, ofReset] = OPENAI_HEADERS[what];
  headers[ofLimit] = String(limit);
  headers[ofRemaining] = String(remaining);
  headers[ofReset] = formatDuration(resetMs);
}

/** As OpenAI writes it: `0s`, `1s`, `6m0s`, `23h0m5s`. */
function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 0) return `${hours}h${minutes}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}
