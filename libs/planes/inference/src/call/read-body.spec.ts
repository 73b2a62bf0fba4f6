import { GatewayError } from '@mg/contract';
import { callLocally } from '@mg/transport';
import { expect, it } from 'vitest';
import { BodyBudget } from '../edge/body-budget.js';
import { classifyRefusal } from './classify-failure.js';
import { readWholeBody } from './read-body.js';

async function replyWith(...chunks: readonly string[]) {
  const call = callLocally(() => ({
    status: 200,
    headers: {},
    chunks: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk);
    })(),
  }));
  return call.reply;
}

it('counts an answer while it comes, and ends where there is no memory for it', async () => {
  const lease = new BodyBudget(20).open('key');
  const count = (bytes: number) => lease.take(bytes);
  expect((await readWholeBody(await replyWith('1234', '56'), 100, count)).toString()).toBe('123456');
  const tooMuch = readWholeBody(await replyWith('1234', '5678'), 100, count);
  await expect(tooMuch).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 1 });
  await expect(readWholeBody(await replyWith('1234', '5678'), 5)).rejects.toMatchObject({ kind: 'broken' });
});

it('does not ask another channel for want of memory', () => {
  expect(classifyRefusal(new GatewayError('rate_limited', 'No room.')).mayGoOn).toBe(false);
  expect(classifyRefusal(new GatewayError('invalid_request', 'No such field.')).mayGoOn).toBe(true);
});
