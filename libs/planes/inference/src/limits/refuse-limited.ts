import { GatewayError, type LimitScope } from '@mg/contract';
import type { Refusal } from './limiter.js';
import type { Measure, Meter } from './meter.js';

const SECOND_MS = 1_000;

const WHOSE: Readonly<Record<LimitScope, string>> = {
  token: "this API key's",
  wallet: "the wallet's",
  user: "the user's",
  model: "the model's",
  channel: "the channel's",
};

const WHAT: Readonly<Record<Measure, string>> = {
  rpm: 'requests per minute',
  rpd: 'requests per day',
  tpm: 'tokens per minute',
  concurrency: 'calls at the same time',
};

/** `this API key's limit of 60 requests per minute` */
export function nameLimit({ scope, measure, limit }: Meter): string {
  return `${WHOSE[scope]} limit of ${limit} ${WHAT[measure]}`;
}

export function refuseLimited({ refusedBy, waitMs }: Refusal): GatewayError {
  // What an operator has agreed with a provider is no caller's business.
  const name = refusedBy.scope === 'channel' ? "the channel's limit" : nameLimit(refusedBy);
  return new GatewayError('rate_limited', `${name.charAt(0).toUpperCase()}${name.slice(1)} is reached.`, {
    retryAfter: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
  });
}

/** No waiting helps. */
export function refuseTooLarge(meter: Meter, tokens: number): GatewayError {
  return new GatewayError(
    'invalid_request',
    `This call would use ${tokens} tokens or more, and ${nameLimit(meter)} is less: ask for shorter answers, or send less.`,
    { reason: 'rate_limited' },
  );
}
