import { describe, expect, it } from 'vitest';
import { RealtimeClient } from '../../testing/realtime-client.js';
import { CREATE, RealtimeStage, type Scene, waitForNoUsage, walletFor } from './testing/realtime-stage.js';

const QUERY = '?intent=transcription';
/** A second of it, or a little less. */
const HEAR = { type: 'input_audio_buffer.append', audio: 'A'.repeat(60_000) };
const COMMIT = { type: 'input_audio_buffer.commit' };
const COMPLETED = 'conversation.item.input_audio_transcription.completed';
/** Of a second, at 0.006 USD a minute. */
const A_SECOND = 100_000n;

function transcribeBy(model: unknown, facts: object = {}): object {
  const input = { transcription: { model, language: 'en' }, turn_detection: null };
  return { type: 'session.update', session: { type: 'transcription', audio: { input }, ...facts } };
}

describe('a session that only transcribes', () => {
  const stage = new RealtimeStage();
  const rows = () => stage.gateway.log.filter(({ status }) => status === 200);
  const start = async (upstreamModel = 'their-whisper', scene: Scene = {}, slug = 'write') => {
    await stage.start(scene);
    stage.gateway.channels = [stage.serveBy('main', '', { models: new Map([[slug, upstreamModel]]) })];
    const client = await stage.open(QUERY);
    client.send(transcribeBy(slug));
    return client;
  };

  it('is routed by the model that its first event names, and pays for each transcript in a row of its own', async () => {
    const client = await start();
    for (let time = 1; time <= 2; time++) {
      client.send(HEAR);
      client.send(COMMIT);
      await expect.poll(() => client.count(COMPLETED)).toBe(time);
    }
    await client.close();
    await expect.poll(() => stage.gateway.log).toHaveLength(3);
    // The upstream's usage counts.
    expect(rows().map(({ model, cost, estimated }) => [model, cost, estimated])).toEqual([
      ['write', 2n * A_SECOND, false],
      ['write', 2n * A_SECOND, false],
    ]);
    const own = stage.gateway.log.find(({ status }) => status === 101);
    expect(own).toMatchObject({ endpoint: '/v1/realtime', model: 'write', cost: 0n, reason: 'completed' });
    expect(rows()[0]?.attempts[0]?.reason).toBe(`a transcript of session ${own?.requestId}`);
    expect(stage.session.url).toContain('/realtime?intent=transcription');
    expect(stage.session.received[0]).toEqual(transcribeBy('their-whisper'));
    expect([client.count('session.created'), client.count('session.updated')]).toEqual([1, 1]);
    // What was held ahead and for nothing is given back.
    await expect.poll(() => stage.gateway.journal.filter(({ phase }) => phase === 'cancel')).toHaveLength(1);
    expect(stage.gateway.context.heldCalls.listDue(10)).toEqual([]);
  });

  it('is opened in the words of the beta, too', async () => {
    await stage.start();
    const headers = { authorization: `Bearer ${stage.gateway.key}`, 'openai-beta': 'realtime=v1' };
    const client = await stage.knock(QUERY, headers);
    if (!(client instanceof RealtimeClient)) throw new Error(JSON.stringify(client));
    await expect.poll(() => client.count('transcription_session.created')).toBe(1);
    const update = (model: string) => ({
      type: 'transcription_session.update',
      session: { input_audio_format: 'g711_ulaw', input_audio_transcription: { model } },
    });
    client.send(update('write'));
    await expect.poll(() => client.count('transcription_session.updated')).toBe(1);
    client.send(COMMIT);
    await expect.poll(() => client.count(COMPLETED)).toBe(1);
    expect(stage.session.received[0]).toEqual(update('their-whisper'));
    expect(stage.session.headers['openai-beta']).toBe('realtime=v1');
    await client.close();
  });

  it('is opened in the words of the beta over a channel that knows none of them', async () => {
    await stage.start();
    const models = new Map([['write', 'their-whisper']]);
    stage.gateway.channels = [stage.serveBy('main', '', { type: 'openai', models })];
    const headers = { authorization: `Bearer ${stage.gateway.key}`, 'openai-beta': 'realtime=v1' };
    const client = await stage.knock(QUERY, headers);
    if (!(client instanceof RealtimeClient)) throw new Error(JSON.stringify(client));
    const update = (facts: object = {}) => ({
      type: 'transcription_session.update',
      session: { input_audio_format: 'g711_ulaw', input_audio_transcription: { model: 'write' }, ...facts },
    });
    client.send(update({ turn_detection: null, include: ['item.input_audio_transcription.logprobs'] }));
    await expect.poll(() => client.count('transcription_session.updated')).toBe(1);
    expect(client.find('transcription_session.updated')?.session).toMatchObject({
      input_audio_transcription: { model: 'their-whisper' },
      turn_detection: null,
    });
    const input = {
      format: { type: 'audio/pcmu' },
      transcription: { model: 'their-whisper' },
      turn_detection: null,
    };
    const include = ['item.input_audio_transcription.logprobs'];
    expect(stage.session.received[0]).toEqual({
      type: 'session.update',
      session: { type: 'transcription', audio: { input }, include },
    });
    expect(stage.session.headers).not.toHaveProperty('openai-beta');
    client.send(update({ modalities: ['text'] }));
    await expect.poll(() => client.find('error')?.error).toMatchObject({ param: 'session.modalities' });
    stage.session.say('conversation.item.added', { item: { id: 'item_1' } });
    await expect.poll(() => client.count('conversation.item.created')).toBe(1);
    client.send(COMMIT);
    await expect.poll(() => client.count(COMPLETED)).toBe(1);
    expect(client.count('session.updated')).toBe(0);
    await client.close();
    await expect.poll(rows).toMatchObject([{ cost: 2n * A_SECOND, estimated: false }]);
  });

  it('charges what is in another unit than its price by what was heard', async () => {
    const client = await start('their-whisper--counts');
    client.send(HEAR);
    client.send(COMMIT);
    await expect.poll(rows).toMatchObject([{ cost: A_SECOND, estimated: true }]);
  });

  it('charges tokens by a price of tokens', async () => {
    const client = await start('their-whisper--counts', {}, 'count');
    client.send(HEAR);
    client.send(COMMIT);
    await expect
      .poll(rows)
      .toMatchObject([{ model: 'count', cost: 20n * 6_000n + 3n * 10_000n, estimated: false }]);
  });

  it.each([
    ['of an item that was never transcribed', 'awaits', [COMMIT]],
    ['of words that came without an item', 'streams', []],
  ])('is not free where the client leaves before the end %s', async (_, behaviour, events) => {
    const client = await start(`their-whisper--${behaviour}`, { parts: waitForNoUsage() });
    for (const event of [HEAR, HEAR, ...events]) client.send(event);
    await expect.poll(() => stage.session.received.length).toBe(3 + events.length);
    const began =
      behaviour === 'streams'
        ? 'conversation.item.input_audio_transcription.delta'
        : 'input_audio_buffer.committed';
    await expect.poll(() => client.count(began)).toBeGreaterThan(0);
    await client.close();
    await expect.poll(rows).toMatchObject([{ cost: 2n * A_SECOND, estimated: true }]);
  });

  it('ends where the wallet does not cover an hour, and asks nobody', async () => {
    const client = await start('their-whisper', { parts: walletFor(0) });
    await expect.poll(() => client.closed).toMatchObject({ code: 1008, reason: 'insufficient_balance' });
    expect(client.errors).toEqual(['insufficient_balance']);
    expect(stage.upstream.sessions).toHaveLength(0);
    await expect.poll(() => stage.gateway.log).toMatchObject([{ errorCode: 'insufficient_balance' }]);
  });

  it.each<[string, object, string]>([
    ['names no model', { type: 'session.update', session: { type: 'transcription' } }, 'invalid_request'],
    ['is audio', HEAR, 'invalid_request'],
    ['is for another kind of session', transcribeBy('write', { type: 'realtime' }), 'invalid_request'],
    ['names an unknown model', transcribeBy('nobody'), 'model_not_found'],
    ['names a model that is spoken with', transcribeBy('talk'), 'model_not_found'],
  ])('ends where the first event %s', async (_, event, code) => {
    await stage.start();
    const client = await stage.open(QUERY);
    client.send(event);
    await expect.poll(() => client.closed).toMatchObject({ code: 1008, reason: code });
    expect(client.errors).toEqual([code]);
    expect(stage.upstream.sessions).toHaveLength(0);
  });

  it.each<[string, object, string]>([
    ['a response', CREATE, 'type'],
    ['an item', { type: 'conversation.item.create', item: {} }, 'type'],
    ['a model that is spoken with', transcribeBy('write', { model: 'talk' }), 'session.model'],
    [
      'a model of another channel',
      transcribeBy('write-elsewhere'),
      'session.audio.input.transcription.model',
    ],
  ])('refuses %s, sends nothing of it, and goes on', async (_, event, param) => {
    const client = await start();
    await expect.poll(() => client.count('session.updated')).toBe(1);
    client.send(event);
    await expect.poll(() => client.find('error')?.error).toMatchObject({ param });
    client.send(HEAR);
    client.send(COMMIT);
    await expect.poll(() => client.count(COMPLETED)).toBe(1);
    expect(stage.session.received).toHaveLength(3);
  });

  it('counts among the calls at once, and its transcripts among the rates', async () => {
    const limits = [{ scope: 'token' as const, id: 't', limits: { concurrency: 1, rpm: 3 }, sequence: 1 }];
    const client = await start('their-whisper', { token: { limits } });
    for (let time = 1; time <= 3; time++) client.send(COMMIT);
    await expect.poll(() => client.errors).toEqual(['rate_limited']);
    await expect.poll(() => client.count(COMPLETED)).toBe(2);
    expect(client.closed).toBeUndefined();
    expect((await stage.refuse()).status).toBe(429);
  });

  it('has no more awaited than a few', async () => {
    const client = await start('their-whisper--awaits');
    for (let time = 1; time <= 9; time++) client.send(COMMIT);
    await expect.poll(() => client.errors).toEqual(['rate_limited']);
    expect(stage.session.received.filter(({ type }) => type === COMMIT.type)).toHaveLength(8);
  });

  it('ends where the upstream answers, which nobody has asked for', async () => {
    const client = await start('their-whisper--answers');
    client.send(COMMIT);
    await expect.poll(() => client.closed).toMatchObject({ code: 1011, reason: 'upstream_error' });
    expect(client.count('response.created')).toBe(0);
  });

  it('goes on to the next channel, and ends once what it is at work on is there when the gateway stops', async () => {
    await stage.start();
    stage.gateway.channels = [
      stage.serveBy('refused', '', { apiKeys: ['wrong'], priority: 2 }),
      stage.serveBy('main', '', { priority: 1, models: new Map([['write', 'their-whisper--awaits']]) }),
    ];
    const client = await stage.open(QUERY);
    client.send(transcribeBy('write'));
    client.send(COMMIT);
    await expect.poll(() => client.count('input_audio_buffer.committed')).toBe(1);
    const committed = client.find('input_audio_buffer.committed');
    stage.gateway.context.sessions.drain(60_000);
    client.send(HEAR);
    expect(client.closed).toBeUndefined();
    const usage = { type: 'duration', seconds: 2 };
    stage.session.say(COMPLETED, { item_id: committed?.item_id, transcript: 'Heard.', usage });
    await expect.poll(() => client.closed).toMatchObject({ code: 1012 });
    expect(client.count(COMPLETED)).toBe(1);
    await expect.poll(rows).toMatchObject([{ cost: 2n * A_SECOND }]);
  });
});
