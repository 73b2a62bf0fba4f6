import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

function leadTo(target: SmallGateway) {
  return makeChannel('to-a-gateway', { baseUrl: target.url, apiKeys: [target.key] });
}

describe('M4: a channel that leads back to the gateway', () => {
  let a: SmallGateway;
  let b: SmallGateway;
  let upstream: FakeUpstream;
  beforeEach(async () => {
    [a, b, upstream] = await Promise.all([
      startSmallGateway('a'),
      startSmallGateway('b'),
      startFakeUpstream(),
    ]);
  });
  afterEach(() => Promise.all([a, b, upstream].map((one) => one.close())));

  it.each([
    ['whole', false],
    ['streamed', true],
  ])('is one call more and then 508, tried nowhere else: %s', async (_, stream) => {
    const good = makeChannel('good', {
      baseUrl: upstream.url,
      models: new Map([['m', 'plain']]),
      priority: -1,
    });
    a.channels = [leadTo(a), good];
    const answer = await a.post('/v1/chat/completions', { ...CHAT, stream });
    expect(answer.status).toBe(508);
    const { detail } = (await answer.json()) as { detail: { code: string; upstream_status: number } };
    expect(detail).toMatchObject({ code: 'loop_detected', upstream_status: 508 });
    await a.context.requestLog.flush();
    await a.context.journal.flush();
    expect(upstream.calls).toHaveLength(0);
    expect(a.log.filter(({ errorCode }) => errorCode === 'loop_detected')).toHaveLength(1);
    expect(a.journal.map(({ phase }) => phase)).toEqual(['cancel']);
    expect(a.context.health.listCooldowns()).toEqual([]);
  });

  it('is 508 as well when another gateway stands in between', async () => {
    a.channels = [leadTo(b)];
    b.channels = [leadTo(a)];
    expect((await a.post('/v1/chat/completions', CHAT)).status).toBe(508);
  });

  it('is detected for converted calls and exchanges', async () => {
    a.channels = [leadTo(a)];
    const converted = { ...CHAT, max_tokens: 10 };
    expect((await a.post('/v1/messages', converted)).status).toBe(508);
  });

  it('brings no batch and no file either, which cost nothing', async () => {
    const sent = { 'x-gateway-hops': a.context.installation };
    for (const path of [
      '/v1/batches',
      '/v1/messages/batches',
      '/v1beta/models/m:batchGenerateContent',
      '/v1/files',
    ]) {
      const answer = await a.post(path, {}, sent);
      expect([path, answer.status]).toEqual([path, 508]);
    }
  });

  it('is not a gateway of another installation, which answers', async () => {
    a.channels = [leadTo(b)];
    b.channels = [makeChannel('good', { baseUrl: upstream.url, models: new Map([['m', 'plain']]) })];
    expect((await a.post('/v1/chat/completions', CHAT)).status).toBe(200);
    const hops = upstream.calls[0]?.headers['x-gateway-hops'];
    expect(hops).toBe(`${a.context.installation},${b.context.installation}`);
  });
});
