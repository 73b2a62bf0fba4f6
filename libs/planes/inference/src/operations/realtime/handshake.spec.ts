import { omitUndefined } from '@mg/contract';
import { allowMs, readThreadMs } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { type KnockArgs, RealtimeStage, type Scene, walletFor } from './testing/realtime-stage.js';

describe('a handshake', () => {
  const stage = new RealtimeStage();
  it.each<[string, Scene, KnockArgs, number, string, string?]>([
    ['without a key', {}, ['?model=talk', {}], 401, 'invalid_api_key'],
    ['with a key that is none', {}, ['?model=talk', { authorization: 'Bearer x' }], 401, 'invalid_api_key'],
    ['without a model', {}, [''], 400, 'invalid_request', 'model'],
    ['for an unknown model', {}, ['?model=nobody'], 404, 'model_not_found', 'model'],
    ['for a model of another kind', {}, ['?model=chat'], 404, 'model_not_found', 'model'],
    ['with another intent', {}, ['?intent=translation'], 400, 'invalid_request', 'intent'],
    ['to transcribe without a key', {}, ['?intent=transcription', {}], 401, 'invalid_api_key'],
    [
      'to transcribe with a model',
      {},
      ['?intent=transcription&model=write'],
      400,
      'invalid_request',
      'model',
    ],
    ['with a model twice', {}, ['?model=talk&model=chat'], 400, 'invalid_request', 'model'],
    [
      'for a model that the key may not use',
      { token: { allowedModels: new Set(['chat']) } },
      ['?model=talk'],
      403,
      'model_not_allowed',
      'model',
    ],
    [
      "from an address that is not among the key's",
      { token: { allowedIps: new Set(['203.0.113.7']) } },
      ['?model=talk'],
      403,
      'address_not_allowed',
    ],
    ['that the wallet does not cover', { parts: walletFor(0) }, ['?model=talk'], 402, 'insufficient_balance'],
    [
      'for a model without prices of audio',
      { sheet: { input_per_million: '4', output_per_million: '16' } },
      ['?model=talk'],
      404,
      'model_not_priced',
      'model',
    ],
  ])('%s is refused with an error of HTTP', async (_, scene, args, status, code, param) => {
    await stage.start(scene);
    const answer = await stage.refuse(...args);
    expect(answer).toMatchObject({
      status,
      body: { detail: omitUndefined({ code, param: param || undefined }) },
    });
    expect(stage.upstream.sessions).toHaveLength(0);
  });

  it('for a model without prices of audio names them', async () => {
    await stage.start({ sheet: { input_per_million: '4', output_per_million: '16' } });
    const { body } = await stage.refuse();
    expect(body.detail?.message).toContain('audio_input_per_million, audio_output_per_million');
  });

  it('takes the key as browsers send it, and does not send it back', async () => {
    await stage.start();
    const client = await stage.open('?model=talk', {}, [
      'realtime',
      `openai-insecure-api-key.${stage.gateway.key}`,
    ]);
    expect(client.socket.protocol).toBe('realtime');
    expect(client.headers['x-gateway-model']).toBe('talk');
  });

  it('M5: is read in no time, whatever stands between the names of its subprotocols', async () => {
    await stage.start();
    const authorization = `Bearer ${stage.gateway.key}`;
    const names = `realtime${' '.repeat(15_000)}x`;
    const startedMs = readThreadMs();
    const answer = await stage.refuse(undefined, { authorization, 'sec-websocket-protocol': names });
    expect(answer).toMatchObject({ status: 400, body: { detail: { param: 'Sec-WebSocket-Protocol' } } });
    const tookMs = readThreadMs() - startedMs;
    expect(tookMs).toBeLessThan(allowMs(100, tookMs));
  });

  it('is no plain GET', async () => {
    await stage.start();
    const headers = { authorization: `Bearer ${stage.gateway.key}` };
    const answer = await fetch(`${stage.gateway.url}/v1/realtime?model=talk`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: { param: 'Upgrade' } }]);
  });

  it('asks the upstream with its own key and its own name of the model', async () => {
    await stage.start({ model: 'speaks--as told' });
    await stage.open();
    expect(stage.session.headers.authorization).toBe('Bearer upstream-key-1');
    expect([stage.session.model, stage.session.headers['x-gateway-hops']]).toEqual([
      'speaks--as told',
      expect.any(String),
    ]);
    expect(JSON.stringify(stage.session.headers)).not.toContain(stage.gateway.key);
  });

  it('goes on to the next channel until one begins a session', async () => {
    await stage.start();
    stage.gateway.channels = [
      stage.serveBy('refused', 'speaks', { apiKeys: ['wrong'], priority: 4 }),
      stage.serveBy('closed', 'speaks', { baseUrl: 'http://127.0.0.1:1', priority: 3 }),
      stage.serveBy('fails at once', 'speaks--opens-with-error', { priority: 2 }),
      stage.serveBy('main', 'speaks', { priority: 1 }),
    ];
    const client = await stage.knock();
    // Three channels are tried at most.
    expect(client).toMatchObject({ status: 502 });
    stage.gateway.channels = stage.gateway.channels.slice(1);
    await stage.open();
    await expect
      .poll(() => stage.upstream.sessions.filter(({ closed }) => closed === undefined))
      .toHaveLength(1);
  });
});
