import { classOf } from '@mg/contract';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import { AttemptTally } from '@mg/routing';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 };

let upstream: FakeUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(async () => {
  gateway = await startSmallGateway('attempts');
});
afterEach(async () => {
  await gateway.close();
  upstream.reset();
});
afterAll(() => upstream.close());

const channel = (name: string, behaviour: string, priority: number) =>
  makeChannel(name, { baseUrl: upstream.url, models: new Map([['m', behaviour]]), priority });

it('counts the attempts that fell over, too', async () => {
  const [first, second] = [channel('first', 'error-500', 1), channel('second', 'plain', 0)];
  gateway.channels = [first, second];
  for (const stream of [false, true]) {
    await (await gateway.post('/v1/chat/completions', { ...CHAT, stream })).text();
  }
  const taken = gateway.context.attempts.take();
  expect(taken.map(({ channelId, model, served, failed }) => [channelId, model, served, failed])).toEqual([
    [first.id, 'm', 0, 2],
    [second.id, 'm', 2, 0],
  ]);
  expect(taken[0]?.lastFailure).toMatchObject({ status: 500, reason: expect.any(String) });
  const sum = (counts: readonly number[] = []) => counts.reduce((total, count) => total + count, 0);
  expect([sum(taken[1]?.wholeMs), sum(taken[1]?.firstMs)]).toEqual([1, 1]);
  expect(gateway.context.attempts.take()).toEqual([]);
});

it('says nothing of a channel whose caller was at fault', async () => {
  gateway.channels = [channel('only', 'error-400-parameter', 0)];
  expect((await gateway.post('/v1/chat/completions', CHAT)).status).toBe(400);
  expect(gateway.context.attempts.take()).toEqual([]);
});

it('has a class for each duration', () => {
  const tally = new AttemptTally();
  tally.noteServed({ channelId: 'c', model: 'm', key: '' }, 'whole', 70);
  expect(tally.take()[0]?.wholeMs[classOf(70)]).toBe(1);
});
