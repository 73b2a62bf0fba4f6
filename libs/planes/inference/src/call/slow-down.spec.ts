import { afterEach, beforeEach, expect, it } from 'vitest';
import { FairShare, FreeShares } from '../access/fair-share.js';
import { type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

let gateway: SmallGateway;
let nowMs = 0;
beforeEach(async () => {
  const limits = { perSecond: 1, burst: 2, atOnce: 0, waiting: 0 };
  const shares = Object.assign(new FreeShares(), { refusals: new FairShare(limits, () => nowMs) });
  gateway = await startSmallGateway('slow', { shares });
});
afterEach(() => gateway.close());

const ask = () =>
  gateway.post('/v1/chat/completions', {
    model: 'gemini-3.5-flash-lite',
    messages: [{ role: 'user', content: 'x' }],
  });

it('clients 8: who repeats a mistake without a pause is answered later', async () => {
  const answers = [await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual([null, null, '1']);
  nowMs += 2_000;
  expect((await ask()).headers.get('retry-after')).toBeNull();
});
