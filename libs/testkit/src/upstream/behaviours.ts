import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour } from './behaviour.js';
import { errorBody, FAILURES } from './failures.js';

const IN_STREAM_ERROR = errorBody(
  'The server had an error while processing your request.',
  'server_error',
  null,
);

const HUGE_TOKENS = 20_000;
const SLOW_MS = 700;

/**
 * Behaviours by upstream model name: a channel that maps a slug to such a name gets it without a script. A name that
 * is not here answers in the ordinary way.
 */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'cached-prompt': { answer: { cachedTokens: 6 } },
  'cache-written': { answer: { cachedTokens: 6, cacheWriteTokens: 2, cacheWrite1hTokens: 1 } },
  thinks: { answer: { reasoning: { field: 'reasoning_content', tokens: 9 } } },
  'thinks-and-calls': {
    answer: { reasoning: { field: 'reasoning_content', tokens: 9 }, toolCalls: 2 },
  },
  'hidden-reasoning': { answer: { hiddenReasoningTokens: 64 } },
  'writes-a-file': { answer: { writesFile: true } },
  'two-tool-calls': { answer: { toolCalls: 2 } },
  'unicode-text': { answer: { text: 'Grüße aus Köln 🧡💙 – 你好，世界 👩‍👩‍👧 e\u0301' } },
  'huge-answer': { answer: { tokens: HUGE_TOKENS } },

  'deepseek-like': {
    answer: { reasoning: { field: 'reasoning_content', tokens: 12 }, cachedTokens: 4 },
    usage: { placement: 'last-chunk', dialect: 'deepseek' },
  },
  'groq-like': {
    answer: { reasoning: { field: 'reasoning', tokens: 12 } },
    usage: { placement: 'last-chunk', dialect: 'groq' },
  },
  'xai-like': {
    answer: { reasoning: { field: 'reasoning_content', tokens: 12 }, cachedTokens: 4 },
    usage: { placement: 'always', dialect: 'xai' },
  },
  'azure-like': { stream: { openingFilter: true } },
  'usage-on-every-chunk': { usage: { placement: 'every-chunk' } },
  'usage-in-choice': { usage: { placement: 'in-choice' } },
  'usage-unasked': { usage: { placement: 'always' } },
  'usage-never': { usage: { placement: 'never' } },
  'usage-null': { usage: { figures: null } },
  'usage-negative': { usage: { figures: { prompt_tokens: -5, completion_tokens: -7, total_tokens: -12 } } },
  'usage-fractional': {
    usage: { figures: { prompt_tokens: 1.5, completion_tokens: 2.25, total_tokens: 3.75 } },
  },
  'usage-huge': { usage: { figures: { prompt_tokens: 1e15, completion_tokens: 1e15, total_tokens: 2e15 } } },
  'usage-text': { usage: { figures: { prompt_tokens: '12', completion_tokens: true, total_tokens: [] } } },

  slow: { wait: () => sleep(SLOW_MS) },
  paced: { stream: { paceMs: 20 } },
  endless: { answer: { tokens: HUGE_TOKENS }, stream: { paceMs: 10 } },
  'odd-splits': {
    answer: { text: 'Grüße 🧡 to all' },
    stream: { splitBytes: 7 },
  },
  'byte-by-byte': { answer: { tokens: 2 }, stream: { splitBytes: 1 } },
  'one-byte-a-second': { stream: { splitBytes: 1, splitPauseMs: 1_000 } },
  'crlf-framing': { stream: { newline: '\r\n' } },
  'no-space-framing': { stream: { prefix: 'data:' } },
  'keep-alive-comments': { stream: { comment: 'keep-alive' } },
  'no-final-newline': { stream: { finalNewline: false } },
  'no-done': { stream: { done: false } },

  'error-400-context': { failure: FAILURES.contextTooLong },
  'error-400-policy': { failure: FAILURES.contentPolicy },
  'error-400-parameter': { failure: FAILURES.badParameter },
  'error-400-key': { failure: FAILURES.wrongKeyIn400 },
  'error-401': { failure: FAILURES.wrongKey },
  'error-402': { failure: FAILURES.noFunds },
  'error-403': { failure: FAILURES.forbidden },
  'error-403-file': { failure: FAILURES.fileForbidden },
  'error-403-flagged': { failure: FAILURES.flagged },
  'error-404': { failure: FAILURES.modelUnknown },
  'error-404-file': { failure: FAILURES.fileUnknown },
  'error-413': { failure: FAILURES.tooLarge },
  'error-422': { failure: FAILURES.unprocessable },
  'error-424': { failure: FAILURES.toolServerFailed },
  'error-429': { failure: FAILURES.overQuota },
  'error-429-retry-after': { failure: FAILURES.rateLimited },
  'error-500': { failure: FAILURES.serverError },
  'error-502-html': { failure: FAILURES.badGateway },
  'error-504': { failure: FAILURES.tookTooLong },
  'error-503': { failure: FAILURES.overloaded },
  'error-529': { failure: FAILURES.siteOverloaded },

  'garbage-body': { failure: { kind: 'reply', status: 200, body: '\u0000\u0001 not JSON at all' } },
  'empty-body': { failure: { kind: 'reply', status: 200, body: '' } },
  'truncated-json': {
    failure: { kind: 'reply', status: 200, body: '{"id":"chatcmpl-1","object":"chat.completion","choi' },
  },
  'wrong-content-type': {
    failure: { kind: 'reply', status: 200, body: '<html>login</html>', contentType: 'text/html' },
  },
  'error-with-200': { failure: { kind: 'reply', status: 200, body: IN_STREAM_ERROR } },
  'hang-before-headers': { failure: { kind: 'hang' } },
  'hang-in-stream': { failure: { kind: 'hang', afterEvents: 4 } },
  'reset-before-headers': { failure: { kind: 'reset' } },
  'reset-after-headers': { failure: { kind: 'reset', afterEvents: 0 } },
  // Paced, because a reset throws away what the other side has not read yet.
  'reset-in-stream': { stream: { paceMs: 5 }, failure: { kind: 'reset', afterEvents: 4 } },
  'end-in-stream': { failure: { kind: 'end', afterEvents: 4 } },
  'error-event-first': { failure: { kind: 'error-event', afterEvents: 0, body: IN_STREAM_ERROR } },
  'error-event-in-stream': { failure: { kind: 'error-event', afterEvents: 4, body: IN_STREAM_ERROR } },
};
