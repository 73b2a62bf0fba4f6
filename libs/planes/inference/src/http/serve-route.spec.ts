import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

let gateway: SmallGateway;
afterEach(() => gateway.close());

it('a WebSocket where there is none is answered so that clients go on without one', async () => {
  gateway = await startSmallGateway('upgrades');
  const headers = {
    authorization: `Bearer ${gateway.key}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  const asked = request(`${gateway.url}/v1/responses`, { headers }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  expect([answer.statusCode, answer.headers.allow]).toEqual([426, 'POST']);
  expect((await fetch(`${gateway.url}/v1/responses`)).status).toBe(405);
});
