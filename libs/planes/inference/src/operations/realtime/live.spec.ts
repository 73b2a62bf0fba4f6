import { describe, expect, it } from 'vitest';
import type { RealtimeClient } from '../../testing/realtime-client.js';
import {
  HOLD,
  LIVE_PATH,
  RealtimeStage,
  SHEET,
  TOKEN,
  waitForNoUsage,
  walletFor,
} from './testing/realtime-stage.js';
import { TokenCache } from '../../access/token-cache.js';

const SAY = {
  clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello there?' }] }], turnComplete: true },
};

function countTurns(client: RealtimeClient): number {
  return client.events.filter(({ serverContent }) => (serverContent as { turnComplete?: true })?.turnComplete)
    .length;
}

describe('a session of the Live API', () => {
  const stage = new RealtimeStage();
  const start = (model = 'speaks', scene: object = {}) => stage.start({ type: 'gemini', model, ...scene });

  it('charges each turn exactly what the upstream metered, in a row of its own', async () => {
    await start();
    const client = await stage.connect({ generationConfig: { responseModalities: ['AUDIO'] } });
    client.send(SAY);
    await expect.poll(() => countTurns(client)).toBe(1);
    client.send({ realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data: 'A'.repeat(12_800) } } });
    client.send({ realtimeInput: { audioStreamEnd: true } });
    await expect.poll(() => countTurns(client)).toBe(2);
    client.send({ realtimeInput: { text: 'And?' } });
    await expect.poll(() => countTurns(client)).toBe(3);
    await client.close();
    await expect.poll(() => stage.gateway.log).toHaveLength(4);
    const turns = stage.gateway.log.filter(({ status }) => status === 200);
    expect(turns.reduce((sum, { cost }) => sum + cost, 0n)).toBe(stage.costOfMeter);
    const [own] = stage.gateway.log.filter(({ status }) => status === 101);
    expect(own).toMatchObject({ endpoint: LIVE_PATH, model: 'talk', cost: 0n, reason: 'completed' });
    expect(turns[0]?.attempts[0]?.reason).toBe(`a response of session ${own?.requestId}`);
    expect(turns[0]?.endpoint).toBe(LIVE_PATH);
    expect(stage.gateway.context.heldCalls.listDue(10)).toEqual([]);
  });

  it('asks the upstream with its own key and its own name of the model, at the version that was asked for', async () => {
    await start('their-name');
    const path = LIVE_PATH.replace('v1beta', 'v1alpha');
    await stage.connect({}, `/${path}`);
    expect(stage.liveSession.received).toEqual([{ setup: { model: 'models/their-name' } }]);
    expect(stage.liveSession.headers['x-goog-api-key']).toBe('upstream-key-1');
    expect(stage.liveSession.url).toBe(path);
    expect(JSON.stringify(stage.liveSession.headers)).not.toContain(stage.gateway.key);
  });

  it.each([
    ['in a message of its own, after its end', 'tells-late'],
    ['again and again', 'tells-often'],
  ])('charges a turn once whose usage is told %s', async (_, behaviour) => {
    await start(`speaks--${behaviour}`);
    const client = await stage.connect();
    client.send(SAY);
    await expect.poll(() => stage.charges).toHaveLength(1);
    client.send(SAY);
    await expect.poll(() => stage.charges).toHaveLength(2);
    await client.close();
    await expect.poll(() => stage.gateway.log).toHaveLength(3);
    expect(stage.gateway.log.reduce((sum, { cost }) => sum + cost, 0n)).toBe(stage.costOfMeter);
    expect(stage.gateway.log.some(({ estimated }) => estimated)).toBe(false);
  });

  it('charges what led to calls of functions, and what their results led to', async () => {
    await start('speaks--calls');
    const client = await stage.connect({ tools: [{ functionDeclarations: [{ name: 'look_up' }] }] });
    client.send(SAY);
    await expect.poll(() => client.countOf('toolCall')).toBe(1);
    client.send({ toolResponse: { functionResponses: [{ id: 'call-1', name: 'look_up', response: {} }] } });
    await expect.poll(() => countTurns(client)).toBe(1);
    await expect.poll(() => stage.charges).toHaveLength(2);
    await client.close();
    await expect.poll(() => stage.gateway.log).toHaveLength(3);
    expect(stage.gateway.log.reduce((sum, { cost }) => sum + cost, 0n)).toBe(stage.costOfMeter);
  });

  it('charges a turn that was interrupted, and the next', async () => {
    await start('speaks--holds');
    const client = await stage.connect();
    client.send(SAY);
    await expect.poll(() => client.countOf('serverContent')).toBeGreaterThan(1);
    client.send(SAY);
    await expect.poll(() => countTurns(client)).toBe(1);
    await expect.poll(() => stage.charges).toHaveLength(1);
    expect(stage.gateway.log[0]?.cost).toBe(stage.costOfMeter);
    await client.close();
    await expect.poll(() => stage.gateway.log).toHaveLength(3);
    expect(stage.gateway.log.reduce((sum, { cost }) => sum + cost, 0n)).toBe(stage.costOfMeter);
  });

  it('charges what was heard, also where nothing is answered', async () => {
    await start('speaks--is-silent');
    const client = await stage.connect();
    for (let time = 1; time <= 2; time++) {
      client.send({ realtimeInput: { audio: { mimeType: 'audio/pcm', data: 'A'.repeat(12_800) } } });
      client.send({ realtimeInput: { audioStreamEnd: true } });
      await expect.poll(() => stage.charges).toHaveLength(time);
    }
    await expect.poll(() => stage.gateway.log).toHaveLength(2);
    expect(stage.gateway.log.reduce((sum, { cost }) => sum + cost, 0n)).toBe(stage.costOfMeter);
  });

  it('charges an estimate where the upstream does not say what a turn used', async () => {
    await start('speaks--tells-nothing', { parts: waitForNoUsage() });
    const client = await stage.connect();
    client.send(SAY);
    await expect.poll(() => countTurns(client)).toBe(1);
    await client.close();
    await expect.poll(() => stage.gateway.log, { timeout: 10_000 }).toHaveLength(2);
    const [turn] = stage.gateway.log.filter(({ status }) => status === 200);
    expect(turn).toMatchObject({ estimated: true, usage: { audioOutputTokens: 4 } });
    expect(turn?.cost).toBeGreaterThan(0n);
  });

  it('charges searches of the web where they have a price, and holds for them', async () => {
    const { wallet, asked } = walletFor(9);
    await start('speaks--searches', { sheet: { ...SHEET, per_web_search: '0.01' }, parts: { wallet } });
    const client = await stage.connect({ tools: [{ googleSearch: {} }] });
    client.send(SAY);
    await expect.poll(() => stage.charges).toHaveLength(1);
    expect(stage.charges[0]?.usage.webSearches).toBe(2);
    expect(asked[0]?.wanted).toBeGreaterThan(HOLD + 50_000_000n);
  });

  it('H4: charges no more searches in a turn than were held for', async () => {
    await start('speaks--searches-often', { sheet: { ...SHEET, per_web_search: '0.01' } });
    const client = await stage.connect({ tools: [{ googleSearch: {} }] });
    client.send(SAY);
    await expect.poll(() => stage.charges).toHaveLength(1);
    expect(stage.charges[0]?.usage.webSearches).toBe(5);
  });

  it('is closed when the wallet does not cover the next turn, before that is asked for', async () => {
    const { wallet, asked } = walletFor(1);
    await start('speaks', { parts: { wallet } });
    const client = await stage.connect();
    expect(asked[0]?.wanted).toBeGreaterThanOrEqual(HOLD);
    client.send(SAY);
    await expect.poll(() => client.closed?.code).toBe(1008);
    expect(client.closed?.reason).toContain('insufficient_balance');
    expect(countTurns(client)).toBe(1);
    await expect.poll(() => stage.gateway.log).toHaveLength(2);
    expect(stage.liveSession.billed).toHaveLength(1);
  });

  it.each(['dies', 'garbage'])(
    'ends with an upstream that %s, and charges nothing for it',
    async (behaviour) => {
      await start(`speaks--${behaviour}`);
      const client = await stage.connect();
      client.send(SAY);
      await expect.poll(() => client.closed?.code).toBe(1011);
      await expect.poll(() => stage.gateway.journal).toMatchObject([{ phase: 'cancel', waste: [{}] }]);
      expect(stage.charges).toEqual([]);
    },
  );

  it('charges a client that leaves what the upstream says of the turn that is called off', async () => {
    await start('speaks--holds');
    const client = await stage.connect();
    client.send(SAY);
    await expect.poll(() => client.countOf('serverContent')).toBeGreaterThan(1);
    client.socket.terminate();
    await expect.poll(() => stage.rowsOf('client_aborted')).toHaveLength(1);
    expect(stage.rowsOf('client_aborted')[0]).toMatchObject({ cost: stage.costOfMeter, estimated: false });
  });

  it('charges a client that leaves what followed on what it talked into', async () => {
    await start('speaks--holds');
    const client = await stage.connect();
    client.send(SAY);
    await expect.poll(() => client.countOf('serverContent')).toBeGreaterThan(1);
    client.send(SAY);
    client.socket.terminate();
    await expect.poll(() => stage.rowsOf('client_aborted').length).toBeGreaterThan(0);
    await expect.poll(() => stage.liveSession.closed).toBe(1000);
    expect(stage.gateway.log.reduce((sum, { cost }) => sum + cost, 0n)).toBe(stage.costOfMeter);
  });

  it('that was told to end soon does not have its channel rested when it does', async () => {
    await start('speaks--goes-away');
    for (let time = 0; time < 6; time++) {
      const client = await stage.connect();
      await expect.poll(() => client.countOf('goAway')).toBe(1);
      stage.upstream.liveSessions[time]?.close(1011, 'Deadline expired before operation could complete.');
      await expect.poll(() => client.closed?.code).toBe(1000);
    }
    expect(stage.gateway.context.health.isQuiet).toBe(true);
  });

  it('has its client pay for what an upstream had begun that closes for what the client sent', async () => {
    await start('speaks--holds-silently');
    const client = await stage.connect();
    client.send(SAY);
    await expect.poll(() => client.countOf('serverContent')).toBeGreaterThan(1);
    stage.liveSession.close(1007, 'Request contains an invalid argument.');
    await expect.poll(() => client.closed?.code).toBe(1007);
    expect(client.closed?.reason).toContain('invalid argument');
    await expect.poll(() => stage.charges).toHaveLength(1);
    expect(stage.gateway.context.health.isQuiet).toBe(true);
  });

  it('is told that it ends, and not how the account goes on with it', async () => {
    await start('speaks--goes-away');
    const client = await stage.connect();
    await expect.poll(() => client.countOf('goAway')).toBe(1);
    expect(JSON.stringify(client.events)).not.toContain('handle-of-the-account');
  });

  it('is told when the gateway stops, and ends once its turn is over', async () => {
    await start('speaks--holds');
    const [idle, busy] = [await stage.connect(), await stage.connect()];
    busy.send(SAY);
    await expect.poll(() => busy.countOf('serverContent')).toBeGreaterThan(1);
    stage.gateway.context.sessions.drain(60_000);
    await expect.poll(() => idle.closed?.code).toBe(1012);
    expect([idle.countOf('goAway'), busy.countOf('goAway'), busy.closed]).toEqual([1, 1, undefined]);
    stage.upstream.liveSessions[1]?.finish();
    await expect.poll(() => busy.closed?.code).toBe(1012);
    expect(countTurns(busy)).toBe(1);
  });

  it('counts among the calls at once, and its turns among the rates', async () => {
    const limits = [{ scope: 'token' as const, id: 't', limits: { concurrency: 1, rpm: 2 }, sequence: 1 }];
    await start('speaks', { token: { limits } });
    const client = await stage.connect();
    const second = await stage.connect();
    expect(second.closed).toMatchObject({ code: 1013 });
    client.send(SAY);
    await expect.poll(() => countTurns(client)).toBe(1);
    client.send(SAY);
    await expect.poll(() => client.closed?.code).toBe(1013);
    expect(client.closed?.reason).toContain('rate_limited');
  });

  it('ends when its key is no longer good', async () => {
    let disabled = false;
    await start('speaks', { parts: { tokens: new TokenCache(async () => ({ ...TOKEN, disabled })) } });
    const client = await stage.connect();
    disabled = true;
    stage.gateway.context.tokens.forgetAll();
    client.send(SAY);
    await expect.poll(() => client.closed?.code).toBe(1008);
    expect(client.closed?.reason).toContain('invalid_api_key');
  });
});

describe('the setup of a session of the Live API', () => {
  const stage = new RealtimeStage();
  const start = (model = 'speaks', scene: object = {}) => stage.start({ type: 'gemini', model, ...scene });

  it.each([
    ['nobody', 1008, 'model_not_found'],
    ['chat', 1008, 'model_not_found'],
    ['', 1007, 'setup.model'],
    [7, 1007, 'setup.model'],
  ])('for the model %j is refused', async (model, code, reason) => {
    await start();
    const client = await stage.connect({ model });
    expect(client.closed?.code).toBe(code);
    expect(client.closed?.reason).toContain(reason);
    expect(stage.upstream.liveSessions).toHaveLength(0);
    await expect.poll(() => stage.gateway.log).toMatchObject([{ reason: 'refused', endpoint: LIVE_PATH }]);
  });

  it.each<[object, string]>([
    [{ sessionResumption: { handle: 'of somebody' } }, 'setup.sessionResumption'],
    [{ session_resumption: {} }, 'setup.sessionResumption'],
    [{ avatarConfig: {} }, 'setup.avatarConfig'],
    [{ cachedContent: 'cachedContents/x' }, 'setup.cachedContent'],
    [{ tools: [{ codeExecution: {} }] }, 'setup.tools[0].codeExecution'],
    [{ tools: [{ urlContext: {} }] }, 'setup.tools[0].urlContext'],
    [{ tools: [{ googleSearch: {} }] }, 'setup.tools[0].googleSearch'],
    [{ tools: {} }, 'setup.tools'],
    [{ generationConfig: { candidateCount: 2 } }, 'candidateCount'],
    [{ generationConfig: { responseModalities: ['VIDEO'] } }, 'responseModalities[0]'],
    [{ generationConfig: { responseModalities: 'VIDEO' } }, 'responseModalities'],
    [{ generationConfig: { routingConfig: {} } }, 'routingConfig'],
    [{ systemInstruction: { parts: [{ fileData: { fileUri: 'x' } }] } }, 'parts[0].fileData'],
    [{ systemInstruction: { parts: [{ inlineData: { mimeType: 'image/png' } }] } }, 'parts[0].inlineData'],
    [{ whatever: 1 }, 'setup.whatever'],
  ])('with %j is refused, naming the field', async (setup, field) => {
    await start();
    const client = await stage.connect(setup);
    expect(client.closed).toMatchObject({ code: 1007 });
    expect(client.closed?.reason).toContain(field);
    expect(stage.upstream.liveSessions).toHaveLength(0);
  });

  it('that the provider refuses is refused in its words, and no channel is to blame', async () => {
    await start('speaks--refuses-setup');
    const client = await stage.connect();
    expect(client.closed).toMatchObject({ code: 1007 });
    expect(client.closed?.reason).toContain('Invalid voice');
    expect(stage.gateway.context.health.isQuiet).toBe(true);
  });

  it('goes on to the next channel where one has no good key', async () => {
    await start();
    stage.gateway.channels = [
      stage.serveBy('bad', 'speaks--refuses-key', { type: 'gemini', priority: 2 }),
      stage.serveBy('main', 'speaks', { type: 'gemini', priority: 1 }),
    ];
    const client = await stage.connect();
    expect(client.countOf('setupComplete')).toBe(1);
  });

  it('for a model without a channel that speaks the protocol is refused, and rests none', async () => {
    await stage.start();
    const client = await stage.connect();
    expect(client.closed).toMatchObject({ code: 1007 });
    expect(client.closed?.reason).toContain("no channel that speaks Google's Live API");
    expect(stage.gateway.context.health.isQuiet).toBe(true);
    await stage.gateway.close();
    await start();
    expect(await stage.refuse()).toMatchObject({ status: 400, body: { detail: { param: 'model' } } });
    expect(stage.gateway.context.health.isQuiet).toBe(true);
  });
});

describe('a message of a client of the Live API', () => {
  const stage = new RealtimeStage();

  it.each<[object | string, string]>([
    ['no', 'body'],
    ['{"clientContent":{},"clientContent":{}}', 'clientContent'],
    ['{"clientContent":{"turnComplete":true,"turn_complete":false}}', 'turn'],
    [{ setup: { model: 'models/talk' } }, 'setup'],
    [{ spend: {} }, 'spend'],
    [{ clientContent: {}, realtimeInput: {} }, 'realtimeInput'],
    [{ clientContent: { turns: [{ parts: [{ fileData: { fileUri: 'files/x' } }] }] } }, 'fileData'],
    [
      { clientContent: { turns: [{ parts: [{ inlineData: { mimeType: 'image/png', data: '' } }] }] } },
      'inlineData',
    ],
    [{ realtimeInput: { video: { mimeType: 'image/jpeg', data: '' } } }, 'realtimeInput.video'],
    [{ realtimeInput: { mediaChunks: [{ mimeType: 'image/jpeg', data: '' }] } }, 'mediaChunks[0]'],
    [{ contextUpdate: { tools: { tools: [{ googleSearch: {} }] } } }, 'googleSearch'],
  ])('%j ends the session, naming the member, and reaches no upstream', async (message, field) => {
    await stage.start({ type: 'gemini' });
    const client = await stage.connect();
    client.send(message);
    await expect.poll(() => client.closed?.code).toBe(1007);
    expect(client.closed?.reason).toContain(field);
    expect(stage.liveSession.received).toHaveLength(1);
  });
});
