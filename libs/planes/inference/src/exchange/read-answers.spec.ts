import type { ExchangeAnswer, UpstreamAnswer } from '@mg/protocols';
import { callLocally, type UpstreamCall } from '@mg/transport';
import { expect, it } from 'vitest';
import { BodyBudget } from '../http/body-budget.js';
import type { ExchangeCall } from './exchange-call.js';
import { type ExchangeLane, openPassage, readAnswers } from './read-answers.js';

const LANE = {
  bodies: [],
  dropped: undefined,
  readAnswer: ([first]: readonly UpstreamAnswer[]) => first as unknown as ExchangeAnswer,
  readComplaint: () => ({ message: undefined }),
  passesUnread: (contentType: string) => contentType.startsWith('audio/'),
} as unknown as ExchangeLane;

function answer(chunks: readonly string[], type = 'application/json'): UpstreamCall {
  return callLocally(() => ({
    status: 200,
    headers: { 'content-type': type },
    chunks: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })(),
  }));
}

function callWith(budget: BodyBudget, answerBytes: number): ExchangeCall {
  const lease = budget.open('token');
  lease.take(answerBytes);
  return { exchange: { answerBytes }, lease } as unknown as ExchangeCall;
}

it('counts answers beyond the room that was taken for them', async () => {
  const budget = new BodyBudget(100);
  const call = callWith(budget, 10);
  await readAnswers(LANE, [answer(['12345', '678'])], call);
  expect(budget.heldBytes).toBe(10);
  await readAnswers(LANE, [answer(['12345', '6789012345']), answer(['12345'])], call);
  expect(budget.heldBytes).toBe(20);
  call.lease.release();
  expect(budget.heldBytes).toBe(0);
});

it('refuses an answer that there is no memory for', async () => {
  const call = callWith(new BodyBudget(20), 2);
  await expect(readAnswers(LANE, [answer(['12345', '6789012345'])], call)).rejects.toMatchObject({
    code: 'rate_limited',
  });
});

it('passes on what need not be read, once there is something of it', async () => {
  const budget = new BodyBudget(100);
  const sound = await openPassage(LANE, [answer(['12345'], 'audio/mpeg')], callWith(budget, 0));
  expect(sound).toMatchObject({ kind: 'passage', contentType: 'audio/mpeg' });
  expect(budget.heldBytes).toBe(0);
  const nothing = await openPassage(LANE, [answer([], 'audio/mpeg')], callWith(budget, 0));
  expect(nothing).toMatchObject({ kind: 'fault', fault: { mayGoOn: true } });
  const complaint = await openPassage(LANE, [answer(['{}'])], callWith(budget, 0));
  expect(complaint).toMatchObject({ kind: 'answer' });
});
