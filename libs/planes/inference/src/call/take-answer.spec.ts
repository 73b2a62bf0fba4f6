import { GatewayError } from '@mg/contract';
import { type UpstreamAnswer, VECTOR_SHAPE } from '@mg/protocols';
import { callLocally, type UpstreamCall } from '@mg/transport';
import { expect, it } from 'vitest';
import { LARGE_ANSWER_BYTES } from '../edge/work-turns.js';
import { BodyBudget } from '../edge/body-budget.js';
import type { PreparedAttempt, WholeAnswer } from './prepared-attempt.js';
import { takeAnswer } from './take-answer.js';

const WHOLE = {
  dropped: undefined,
  limits: { maxBytes: 1_000, isJson: false, shape: VECTOR_SHAPE },
  stream: undefined,
  readAnswer: ([first]: readonly UpstreamAnswer[]) => first as unknown as WholeAnswer,
  parseUpstreamError: () => ({ message: undefined }),
} as unknown as PreparedAttempt;
const UNREAD: PreparedAttempt = {
  ...WHOLE,
  canPassThrough: (contentType) => contentType.startsWith('audio/'),
};

function answer(chunks: readonly string[], type = 'application/json'): UpstreamCall {
  return callLocally(() => ({
    status: 200,
    headers: { 'content-type': type },
    chunks: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })(),
  }));
}

function roomFor(budget: BodyBudget, answerBytes: number) {
  const lease = budget.open('token');
  lease.take(answerBytes);
  return { operation: { answerBytes }, lease };
}

it('counts answers beyond the room that was taken for them', async () => {
  const budget = new BodyBudget(100);
  const room = roomFor(budget, 10);
  await takeAnswer(WHOLE, [answer(['12345', '678'])], room);
  expect(budget.heldBytes).toBe(10);
  await takeAnswer(WHOLE, [answer(['12345', '6789012345']), answer(['12345'])], room);
  expect(budget.heldBytes).toBe(20);
  room.lease.release();
  expect(budget.heldBytes).toBe(0);
});

it('refuses an answer that there is no memory for', async () => {
  const room = roomFor(new BodyBudget(20), 2);
  await expect(takeAnswer(WHOLE, [answer(['12345', '6789012345'])], room)).rejects.toMatchObject({
    code: 'rate_limited',
  });
});

it('passes on what need not be read, once there is something of it', async () => {
  const budget = new BodyBudget(100);
  const audio = await takeAnswer(UNREAD, [answer(['12345'], 'audio/mpeg')], roomFor(budget, 0));
  expect(audio).toMatchObject({ kind: 'passthrough', contentType: 'audio/mpeg' });
  expect(budget.heldBytes).toBe(0);
  const nothing = await takeAnswer(UNREAD, [answer([], 'audio/mpeg')], roomFor(budget, 0));
  expect(nothing).toMatchObject({ kind: 'fault', fault: { mayGoOn: true } });
  const error = await takeAnswer(UNREAD, [answer(['{}'])], roomFor(budget, 0));
  expect(error).toMatchObject({ kind: 'answer' });
});

it('gives its turn to others when a large answer is no good, before another channel is asked', async () => {
  const budget = new BodyBudget(10 * LARGE_ANSWER_BYTES);
  const garbage = {
    ...WHOLE,
    limits: { ...WHOLE.limits, maxBytes: 2 * LARGE_ANSWER_BYTES },
    readAnswer: () => {
      throw new GatewayError('upstream_error', 'its answer is not what its protocol says');
    },
  } as PreparedAttempt;
  const large = () => answer(['{', '"'.repeat(LARGE_ANSWER_BYTES)]);
  for (let call = 0; call < 2; call++) {
    const room = roomFor(budget, 0);
    await expect(takeAnswer(garbage, [large()], room)).rejects.toMatchObject({ code: 'upstream_error' });
  }
  let isTurn = false;
  void budget
    .open('other')
    .waitForAnswerTurn(LARGE_ANSWER_BYTES)
    ?.then(() => (isTurn = true));
  await expect.poll(() => isTurn).toBe(true);
});
