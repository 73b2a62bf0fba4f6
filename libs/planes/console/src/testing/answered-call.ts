import { NO_USAGE } from '@mg/contract';

/** What a row of the log says of a call that was answered and cost nothing, but for who made it. */
export const ANSWERED_CALL = {
  endpoint: '/v1/chat/completions',
  channel: 'a',
  status: 200,
  errorCode: undefined,
  stream: false,
  latencyMs: 5,
  ttftMs: undefined,
  usage: NO_USAGE,
  cost: 0n,
  estimated: false,
  reason: 'completed' as const,
  attempts: [],
  priceVersionId: undefined,
};
