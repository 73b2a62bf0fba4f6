import { expect, it } from 'vitest';
import { judgeAnswer } from './judge-answer.js';

const judge = (status: number, code?: string, attempt = 1, retryAfterSeconds?: number) =>
  judgeAnswer(
    {
      status,
      retryAfterSeconds,
      body: Buffer.from(JSON.stringify(code === undefined ? {} : { detail: { code } })),
    },
    attempt,
  );

it.each([
  [200, undefined, 'succeeded'],
  [400, 'invalid_request', 'failed'],
  [401, 'invalid_api_key', 'failed'],
  [402, 'insufficient_balance', 'failed'],
  [404, 'model_not_found', 'failed'],
  [409, 'idempotency_conflict', 'failed'],
  [429, 'budget_exceeded', 'failed'],
  [429, 'quota_exceeded', 'failed'],
  [429, 'rate_limited', 'pause'],
  [502, 'upstream_error', 'retry'],
  [503, 'upstream_unavailable', 'retry'],
  [503, 'service_unavailable', 'retry'],
  [508, 'loop_detected', 'failed'],
])('a line that is answered %s %s is over, waits or is sent again: %s', (status, code, kind) => {
  expect(judge(status, code).kind).toBe(kind);
});

it('a line that upstreams fail again and again has failed', () => {
  expect(judge(502, 'upstream_error', 4)).toEqual({ kind: 'retry', seconds: 8, isKnown: true });
  expect(judge(502, 'upstream_error', 5)).toEqual({ kind: 'failed' });
});

it('a line without an answer is asked for until its outcome is known, for hours', () => {
  expect(judgeAnswer(undefined, 1)).toEqual({ kind: 'retry', seconds: 1, isKnown: false });
  expect(judge(503, 'service_unavailable', 100)).toEqual({ kind: 'retry', seconds: 60, isKnown: false });
  expect(judgeAnswer(undefined, 500)).toEqual({ kind: 'failed' });
});

it('a pause is as long as the answer asks for, within a minute', () => {
  expect(judge(429, 'rate_limited', 1, 7)).toEqual({ kind: 'pause', seconds: 7 });
  expect(judge(429, 'rate_limited', 1, 9_999)).toEqual({ kind: 'pause', seconds: 60 });
  expect(judge(429, 'rate_limited')).toEqual({ kind: 'pause', seconds: 1 });
});
