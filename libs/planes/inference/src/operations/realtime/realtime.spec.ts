import { describe, expect, it } from 'vitest';
import { TokenCache } from '../../access/token-cache.js';
import { CREATE, HOLD, RealtimeStage, TOKEN, waitForNoUsage, walletFor } from './testing/realtime-stage.js';

describe('a session', () => {
  const stage = new RealtimeStage();
  it('charges each response exactly what the upstream metered, in a row of its own', async () => {
    await stage.start();
    const client = await stage.open();
    client.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be short.' } });
    client.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [] } });
    client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(12_800) });
    client.send({ type: 'input_audio_buffer.commit' });
    client.send(CREATE);
    await expect.poll(() => client.count('response.done')).toBe(1);
    client.send(CREATE);
    await expect.poll(() => client.count('response.done')).toBe(2);
    await client.close();
    await expect.poll(() => stage.gateway.log).toHaveLength(3);
    const responses = stage.gateway.log.filter(({ status }) => status === 200);
    expect(responses.reduce((sum, { cost }) => sum + cost, 0n)).toBe(stage.costOfMeter);
    expect(stage.costOfMeter).toBeGreaterThan(0n);
    expect(stage.charges).toHaveLength(2);
    const [own] = stage.gateway.log.filter(({ status }) => status === 101);
    expect(own).toMatchObject({ endpoint: '/v1/realtime', model: 'talk', cost: 0n, reason: 'completed' });
    expect(own?.requestId).toBe(client.headers['x-request-id'] ?? own?.requestId);
    expect(responses.map(({ attempts }) => attempts[0]?.reason)).toEqual([
      `a response of session ${own?.requestId}`,
      `a response of session ${own?.requestId}`,
    ]);
    expect(stage.session.billed[0]?.audioIn).toBe(2);
    // What is held for and not used is given back, and nothing of our account is told.
    expect(stage.gateway.context.heldCalls.listDue(10)).toEqual([]);
    expect(client.count('rate_limits.updated')).toBe(0);
  });

  it('holds the worst case before it asks for a response, and ends when the wallet no longer covers it', async () => {
    const { wallet, asked } = walletFor(1);
    await stage.start({ parts: { wallet } });
    const client = await stage.open();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.wanted).toBeGreaterThanOrEqual(HOLD);
    client.send(CREATE);
    await expect.poll(() => client.count('response.done')).toBe(1);
    expect(client.closed).toBeUndefined();
    client.send(CREATE);
    await expect.poll(() => client.closed).toMatchObject({ code: 1008, reason: 'insufficient_balance' });
    expect(client.errors).toEqual(['insufficient_balance']);
    expect(stage.session.received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
    await expect.poll(() => stage.gateway.log).toHaveLength(2);
    expect(stage.gateway.log.find(({ status }) => status === 101)).toMatchObject({
      errorCode: 'insufficient_balance',
    });
  });

  it('keeps a hold ahead where the upstream answers speech by itself', async () => {
    const { wallet, asked } = walletFor(2);
    await stage.start({ model: 'speaks--answers-speech', parts: { wallet } });
    const client = await stage.open();
    client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(12_800) });
    client.send({ type: 'input_audio_buffer.commit' });
    await expect.poll(() => asked).toHaveLength(2);
    client.send({ type: 'input_audio_buffer.commit' });
    await expect.poll(() => client.closed).toMatchObject({ reason: 'insufficient_balance' });
    await expect.poll(() => stage.gateway.log).toHaveLength(3);
    expect(client.count('response.done')).toBe(2);
    expect(stage.gateway.log.reduce((sum, { cost }) => sum + cost, 0n)).toBe(stage.costOfMeter);
  });

  it('charges nothing and keeps the hold for a response that the upstream refused', async () => {
    const { wallet, asked } = walletFor(1);
    await stage.start({ model: 'speaks--refuses', parts: { wallet } });
    const client = await stage.open();
    for (let time = 1; time <= 3; time++) {
      client.send(CREATE);
      await expect.poll(() => client.errors).toHaveLength(time);
    }
    expect([client.errors[0], client.closed, asked.length]).toEqual(['refused', undefined, 1]);
    await client.close();
    await expect.poll(() => stage.gateway.journal).toMatchObject([{ phase: 'cancel' }]);
  });

  it.each(['dies', 'garbage'])(
    'ends with an upstream that %s, and charges nothing for it',
    async (behaviour) => {
      await stage.start({ model: `speaks--${behaviour}` });
      const client = await stage.open();
      client.send(CREATE);
      await expect.poll(() => client.closed).toMatchObject({ code: 1011, reason: 'upstream_error' });
      expect(client.errors).toEqual(['upstream_error']);
      await expect.poll(() => stage.rowsOf('upstream_failed').length).toBeGreaterThan(0);
      expect(stage.charges).toEqual([]);
      expect(stage.gateway.log.every(({ cost }) => cost === 0n)).toBe(true);
    },
  );

  it('charges nothing for a response that fails, goes on, and reports what it may cost us', async () => {
    await stage.start({ model: 'speaks--fails' });
    const client = await stage.open();
    client.send(CREATE);
    await expect.poll(() => client.count('response.done')).toBe(1);
    await expect.poll(() => stage.rowsOf('upstream_failed')).toMatchObject([{ cost: 0n, status: 502 }]);
    expect(client.closed).toBeUndefined();
    expect(stage.gateway.journal).toMatchObject([
      { phase: 'cancel', waste: [{ channel: 'main', reason: 'stream_broken', priceVersionId: 'p1' }] },
    ]);
  });

  it.each([
    ['fails at', 'errs', undefined],
    ['is lost before', 'dies-first', 1011],
  ])(
    'reports what an upstream may bill that %s a response which has not begun',
    async (_, behaviour, code) => {
      await stage.start({ model: `speaks--${behaviour}` });
      const client = await stage.open();
      client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) });
      client.send(CREATE);
      await expect.poll(() => stage.gateway.journal).toHaveLength(1);
      expect(stage.gateway.journal).toMatchObject([
        {
          phase: 'cancel',
          waste: [
            { channel: 'main', reason: 'failed', usage: { audioInputTokens: 10 }, priceVersionId: 'p1' },
          ],
        },
      ]);
      await expect
        .poll(() => stage.rowsOf('upstream_failed').filter(({ status }) => status === 502))
        .toMatchObject([{ cost: 0n }]);
      await expect.poll(() => client.closed?.code).toBe(code);
    },
  );

  it('charges a client that leaves a response which begins after that', async () => {
    await stage.start({ model: 'speaks--begins-late' });
    const client = await stage.open();
    client.send(CREATE);
    await expect.poll(() => stage.session.received).toHaveLength(1);
    client.socket.terminate();
    await expect.poll(() => stage.rowsOf('client_aborted')).toHaveLength(1);
    expect(stage.rowsOf('client_aborted')[0]).toMatchObject({ cost: stage.costOfMeter, estimated: false });
    expect(stage.costOfMeter).toBeGreaterThan(0n);
  });

  it('reports what an upstream may bill of a response that has not begun when its client left', async () => {
    await stage.start({ model: 'speaks--says-nothing', parts: waitForNoUsage() });
    const client = await stage.open();
    client.send(CREATE);
    await expect.poll(() => stage.session.received).toHaveLength(1);
    await client.close();
    await expect
      .poll(() => stage.gateway.journal, { timeout: 10_000 })
      .toMatchObject([{ phase: 'cancel', waste: [{ reason: 'abandoned' }] }]);
    expect(stage.rowsOf('client_aborted')).toMatchObject([{ status: 499, cost: 0n }]);
  });

  it('charges a client that leaves what the upstream says of the response that is called off', async () => {
    await stage.start({ model: 'speaks--holds' });
    const client = await stage.open();
    client.send(CREATE);
    await expect.poll(() => client.count('response.output_audio.delta')).toBe(1);
    client.socket.terminate();
    await expect.poll(() => stage.rowsOf('client_aborted')).toHaveLength(1);
    expect(stage.rowsOf('client_aborted')[0]).toMatchObject({ cost: stage.costOfMeter, estimated: false });
    await expect.poll(() => stage.session.closed).toBe(1000);
  });

  it('estimates what the upstream does not say', async () => {
    await stage.start({ model: 'speaks--holds-silently', parts: waitForNoUsage() });
    const client = await stage.open();
    client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) });
    client.send(CREATE);
    await expect.poll(() => client.count('response.output_audio.delta')).toBe(1);
    await client.close();
    await expect.poll(() => stage.rowsOf('client_aborted')).toHaveLength(1);
    const [row] = stage.rowsOf('client_aborted');
    expect(row).toMatchObject({ estimated: true, usage: { audioInputTokens: 10, audioOutputTokens: 4 } });
    expect(row?.cost).toBeGreaterThan(0n);
  });

  it('charges an estimate where a whole response comes without usage', async () => {
    await stage.start({ model: 'speaks--tells-nothing' });
    const client = await stage.open();
    client.send(CREATE);
    await expect.poll(() => client.count('response.done')).toBe(1);
    await expect.poll(() => stage.rowsOf('estimated')).toHaveLength(1);
    expect(stage.rowsOf('estimated')[0]?.cost).toBeGreaterThan(0n);
  });

  it('that sends a message that is too long is closed, and costs nothing', async () => {
    await stage.start();
    const client = await stage.open();
    client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(1024 * 1024) });
    await expect.poll(() => client.closed).toMatchObject({ code: 1009 });
    await expect.poll(() => stage.gateway.log).toMatchObject([{ status: 101, cost: 0n }]);
    expect(stage.gateway.context.bodies.heldBytes).toBe(0);
  });

  it('ends at once when the gateway stops, unless it is being answered', async () => {
    await stage.start({ model: 'speaks--holds' });
    const [idle, busy] = [await stage.open(), await stage.open()];
    busy.send(CREATE);
    await expect.poll(() => busy.count('response.output_audio.delta')).toBe(1);
    stage.gateway.context.sessions.drain(60_000);
    await expect.poll(() => idle.closed).toMatchObject({ code: 1012 });
    expect(busy.closed).toBeUndefined();
    expect((await stage.refuse()).body.detail?.code).toBe('service_unavailable');
    const { response } = busy.find('response.created') as { response?: { id: string } };
    stage.upstream.sessions[1]?.say('response.done', {
      response: { id: response?.id, status: 'completed', usage: { input_tokens: 1, output_tokens: 1 } },
    });
    await expect.poll(() => busy.closed).toMatchObject({ code: 1012 });
    expect(stage.rowsOf('completed').filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(stage.gateway.context.sessions.size).toBe(0);
  });

  it('is cut at the end of the drain, and pays for what was produced', async () => {
    await stage.start({ model: 'speaks--holds' });
    const client = await stage.open();
    client.send(CREATE);
    await expect.poll(() => client.count('response.output_audio.delta')).toBe(1);
    stage.gateway.context.sessions.drain(50);
    await expect.poll(() => client.closed).toMatchObject({ code: 1012 });
    await expect.poll(() => stage.rowsOf('client_aborted')).toMatchObject([{ cost: stage.costOfMeter }]);
  });

  it('counts among the calls at once, and its responses among the rates', async () => {
    const limits = [{ scope: 'token' as const, id: 't', limits: { concurrency: 1, rpm: 3 }, sequence: 1 }];
    await stage.start({ token: { limits } });
    const client = await stage.open();
    expect((await stage.refuse()).status).toBe(429);
    client.send(CREATE);
    client.send(CREATE);
    client.send(CREATE);
    await expect.poll(() => client.errors).toEqual(['rate_limited']);
    expect(client.closed).toBeUndefined();
    await expect.poll(() => client.count('response.done')).toBe(2);
    await client.close();
  });

  it('counts its responses among the rates of its channel, whose figures it is not told', async () => {
    await stage.start();
    const limits = { scope: 'channel' as const, id: 'c', limits: { rpm: 2 }, sequence: 1 };
    stage.gateway.channels = [stage.serveBy('main', 'speaks', { limits })];
    const client = await stage.open();
    client.send(CREATE);
    client.send(CREATE);
    await expect.poll(() => client.errors).toEqual(['rate_limited']);
    expect(JSON.stringify(client.events)).toContain("The channel's limit is reached.");
    await expect.poll(() => client.count('response.done')).toBe(1);
    await client.close();
  });

  it('is told nothing of the account by which the upstream is asked', async () => {
    await stage.start();
    const client = await stage.open();
    const error = {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      message: 'Account acme is empty.',
    };
    stage.session.say('error', { error });
    stage.session.say('error', { error: { code: 'other', message: 'The key is sk-proj-0123456789abcdef.' } });
    await expect.poll(() => client.errors).toEqual(['upstream_unavailable', 'other']);
    expect(JSON.stringify(client.events)).not.toMatch(/acme|0123456789/);
  });

  it('that is lost again and again has its channel rested, though each was opened', async () => {
    await stage.start({ model: 'speaks--dies' });
    const { id } = stage.gateway.channels[0] ?? { id: '' };
    const isRested = () => stage.gateway.context.health.absence(id, 'talk') !== undefined;
    for (let time = 1; time <= 5; time++) {
      expect(isRested()).toBe(false);
      const client = await stage.open();
      client.send(CREATE);
      await expect.poll(() => client.closed?.code).toBe(1011);
    }
    expect(isRested()).toBe(true);
  });

  it('that its upstream closes for what the client sent does not have the channel rested', async () => {
    await stage.start({ model: 'speaks--holds' });
    for (let time = 0; time < 6; time++) {
      const client = await stage.open();
      client.send(CREATE);
      await expect.poll(() => client.count('response.created')).toBe(1);
      stage.upstream.sessions[time]?.close(1008, 'a policy');
      await expect.poll(() => client.closed?.code).toBe(1011);
    }
    expect(stage.gateway.context.health.isQuiet).toBe(true);
  });

  it('ends when its key is no longer good', async () => {
    let disabled = false;
    await stage.start({ parts: { tokens: new TokenCache(async () => ({ ...TOKEN, disabled })) } });
    const client = await stage.open();
    client.send(CREATE);
    await expect.poll(() => client.count('response.done')).toBe(1);
    disabled = true;
    stage.gateway.context.tokens.forgetAll();
    client.send(CREATE);
    await expect.poll(() => client.closed).toMatchObject({ code: 1008, reason: 'invalid_api_key' });
  });
});
