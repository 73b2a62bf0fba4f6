import { describe, expect, it } from 'vitest';
import type { GatewayContext } from '../../call/gateway-context.js';
import { RealtimeStage, type Scene, waitForNoUsage } from './testing/realtime-stage.js';
import type { SessionFacts } from './session-part.js';
import { SessionTranscripts } from './session-transcripts.js';

/** A second of it, or a little less. */
const HEAR = { type: 'input_audio_buffer.append', audio: 'A'.repeat(60_000) };
const COMMIT = { type: 'input_audio_buffer.commit' };
const TRANSCRIPTION = 'conversation.item.input_audio_transcription';
/** Of a second, at 0.006 USD a minute. */
const A_SECOND = 100_000n;

function transcribeBy(model: string): object {
  const input = { transcription: { model }, turn_detection: null };
  return { type: 'session.update', session: { type: 'transcription', audio: { input } } };
}

describe('transcripts that somebody would not pay for', () => {
  const stage = new RealtimeStage();
  const rows = () => stage.gateway.log.filter(({ status }) => status === 200);
  const start = async (scene: Scene = {}, behaviour = 'silent') => {
    await stage.start(scene);
    const models = new Map([
      ['write', `their-whisper--${behaviour}`],
      ['count', `their-counter--${behaviour}`],
    ]);
    stage.gateway.channels = [stage.serveBy('main', '', { models })];
    const client = await stage.open('?intent=transcription');
    client.send(transcribeBy('write'));
    await expect.poll(() => client.count('session.updated')).toBe(1);
    const send = async (...events: object[]) => {
      const before = stage.session.received.length;
      for (const event of events) client.send(event);
      await expect.poll(() => stage.session.received.length).toBe(before + events.length);
    };
    return { client, send };
  };
  const hear = (itemId: string) => stage.session.say('input_audio_buffer.committed', { item_id: itemId });
  const write = (itemId: string, usage?: object) =>
    stage.session.say(`${TRANSCRIPTION}.completed`, { item_id: itemId, transcript: 'Heard.', usage });

  it('are of the model that was in effect when they were committed, whatever was asked for meanwhile', async () => {
    const { client, send } = await start();
    await send(HEAR, COMMIT, transcribeBy('count'));
    hear('item_1');
    write('item_1', { type: 'duration', seconds: 2 });
    await expect.poll(rows).toMatchObject([{ model: 'write', cost: 2n * A_SECOND, estimated: false }]);
    const transcription = { model: 'their-counter--silent' };
    stage.session.say('session.updated', { session: { audio: { input: { transcription } } } });
    await send(HEAR, COMMIT);
    hear('item_2');
    write('item_2', { type: 'tokens', input_tokens: 20, output_tokens: 3 });
    await expect.poll(() => rows().map(({ model }) => model)).toEqual(['write', 'count']);
    await client.close();
    // One that was held ahead for each model.
    await expect.poll(() => stage.gateway.journal.filter(({ phase }) => phase === 'cancel')).toHaveLength(2);
  });

  it('cost what was committed, where the client leaves before the upstream says that it has heard it', async () => {
    const { client, send } = await start({ parts: waitForNoUsage() });
    await send(HEAR, HEAR, COMMIT);
    await client.close();
    await expect.poll(rows).toMatchObject([{ cost: 2n * A_SECOND, estimated: true }]);
  });

  it('cost what they were made of, where more are awaited than can be; those that come late are not charged twice', async () => {
    const { client, send } = await start({ parts: waitForNoUsage() });
    for (let item = 1; item <= 9; item++) {
      await send(HEAR);
      hear(`item_${item}`);
      await expect.poll(() => client.count('input_audio_buffer.committed')).toBe(item);
    }
    await expect.poll(rows).toMatchObject([{ cost: A_SECOND, estimated: true }]);
    for (const item of ['item_1', 'item_2']) write(item);
    await expect.poll(() => client.count(`${TRANSCRIPTION}.completed`)).toBe(2);
    await client.close();
    await expect.poll(() => rows().map(({ cost }) => cost)).toEqual(Array(9).fill(A_SECOND));
  });

  it('cost what the upstream says that it used, although they failed', async () => {
    const { send } = await start();
    await send(HEAR, COMMIT);
    hear('item_1');
    const usage = { type: 'duration', seconds: 3 };
    stage.session.say(`${TRANSCRIPTION}.failed`, { item_id: 'item_1', error: { message: 'no' }, usage });
    await expect.poll(rows).toMatchObject([{ cost: 3n * A_SECOND, estimated: false }]);
  });

  it('count among the rates of the model that makes them', async () => {
    const { client, send } = await start({}, 'awaits');
    const limits = { scope: 'model', id: 'count', limits: { rpm: 1 }, sequence: 1 };
    Object.assign(stage.gateway.context.catalog().models.get('count') ?? {}, { limits });
    await send(transcribeBy('count'), COMMIT);
    client.send(COMMIT);
    await expect.poll(() => client.errors).toEqual(['rate_limited']);
  });

  it('are not lost by an error that repeats at length what the client has sent', async () => {
    const { client, send } = await start({ parts: waitForNoUsage() }, 'streams');
    await send(HEAR);
    await expect.poll(() => client.count(`${TRANSCRIPTION}.delta`)).toBe(1);
    stage.session.say('error', { error: { type: 'invalid_request_error', message: 'x'.repeat(200_000) } });
    await expect.poll(() => client.errors).toEqual(['invalid_request']);
    expect(client.closed).toBeUndefined();
    await client.close();
    await expect.poll(rows).toMatchObject([{ cost: A_SECOND, estimated: true }]);
  });

  it('are of no more audio than was held for', () => {
    const facts = { audio: { heardBytes: 2 }, operation: { model: 'write' }, session: {} } as SessionFacts;
    const hold = { requestId: 'r' } as ConstructorParameters<typeof SessionTranscripts>[1];
    const transcripts = new SessionTranscripts(facts, hold, new Map(), {} as GatewayContext);
    transcripts.noteAudio(7_200);
    expect(() => transcripts.noteAudio(1)).toThrow('a piece of speech has at most 3600 seconds');
  });
});
