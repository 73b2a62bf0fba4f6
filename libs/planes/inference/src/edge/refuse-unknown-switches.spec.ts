import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

let gateway: SmallGateway;
beforeAll(async () => (gateway = await startSmallGateway('switches')));
afterAll(() => gateway.close());

const ask = (headers: Record<string, string>) =>
  gateway.post('/v1/chat/completions', { model: 'nobody', messages: [] }, headers);

it.each(['x-gateway-strict', 'x-gateway-cost'])('%s is 1 or 0, and nothing else', async (name) => {
  for (const value of ['true', 'yes', '']) {
    const answer = await ask({ [name]: value });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { detail: { code: 'invalid_request', param: name } },
    ]);
  }
  expect(await (await ask({ [name]: '1' })).json()).not.toMatchObject({ detail: { param: name } });
});
