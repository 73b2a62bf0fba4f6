import { describe, expect, it } from 'vitest';
import { CREATE, RealtimeStage, walletFor } from './testing/realtime-stage.js';

const HEAR = { type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) };
const COMMIT = { type: 'input_audio_buffer.commit' };
const TRANSCRIPTION = 'conversation.item.input_audio_transcription';

function transcribeBy(model: string | null): object {
  const transcription = model === null ? null : { model, language: 'en' };
  return { type: 'session.update', session: { type: 'realtime', audio: { input: { transcription } } } };
}

describe('transcripts of what a session hears', () => {
  const stage = new RealtimeStage();
  const rows = () => stage.gateway.log.filter(({ model, status }) => model === 'write' && status === 200);

  it('are charged by the price of their own model, in rows of their own, beside the responses', async () => {
    await stage.start();
    const client = await stage.open();
    client.send(transcribeBy('write'));
    for (let time = 1; time <= 2; time++) {
      client.send(HEAR);
      client.send(COMMIT);
      await expect.poll(() => client.count(`${TRANSCRIPTION}.completed`)).toBe(time);
    }
    client.send(CREATE);
    await expect.poll(() => client.count('response.done')).toBe(1);
    await client.close();
    await expect.poll(() => stage.gateway.log).toHaveLength(4);
    expect(stage.session.transcribed).toEqual([2, 2]);
    // Two seconds of a minute that costs 0.006 USD.
    expect(rows().map(({ cost, estimated }) => [cost, estimated])).toEqual([
      [200_000n, false],
      [200_000n, false],
    ]);
    expect(rows()[0]?.attempts[0]?.reason).toContain('a transcript of session');
    const sent = stage.session.received[0]?.session as { audio: { input: { transcription: object } } };
    expect(sent.audio.input.transcription).toEqual({ model: 'their-whisper', language: 'en' });
    // What was held ahead and for nothing is given back.
    await expect.poll(() => stage.gateway.journal.filter(({ phase }) => phase === 'cancel')).toHaveLength(1);
  });

  it('are held for ahead, and a wallet that no longer covers the next one ends the session', async () => {
    const { wallet, asked } = walletFor(2);
    await stage.start({ parts: { wallet } });
    const client = await stage.open();
    client.send(transcribeBy('write'));
    client.send(transcribeBy('write'));
    await expect.poll(() => stage.session.received).toHaveLength(2);
    expect(asked.map(({ model }) => model)).toEqual(['talk', 'write']);
    client.send(HEAR);
    client.send(COMMIT);
    await expect.poll(() => client.closed).toMatchObject({ reason: 'insufficient_balance' });
    // What the upstream was at work on is charged all the same.
    await expect.poll(rows).toMatchObject([{ cost: 200_000n, estimated: false }]);
  });

  it('that are wanted no more are held for no more', async () => {
    await stage.start();
    const client = await stage.open();
    client.send(transcribeBy('write'));
    client.send(transcribeBy(null));
    await expect.poll(() => stage.gateway.journal).toMatchObject([{ phase: 'cancel' }]);
    expect(client.errors).toEqual([]);
  });

  it('cost nothing where they fail, and are waste', async () => {
    await stage.start();
    const models = new Map([
      ['talk', 'speaks'],
      ['write', 'fails'],
    ]);
    stage.gateway.channels = [stage.serveBy('main', 'speaks', { models })];
    const client = await stage.open();
    client.send(transcribeBy('write'));
    client.send(HEAR);
    client.send(COMMIT);
    await expect.poll(() => client.count(`${TRANSCRIPTION}.failed`)).toBe(1);
    await expect
      .poll(() => stage.gateway.journal.flatMap(({ waste }) => waste ?? []))
      .toMatchObject([{ reason: 'failed', usage: { seconds: 1 } }]);
    const failed = stage.gateway.log.filter(({ model }) => model === 'write');
    expect(failed).toMatchObject([{ status: 502, reason: 'upstream_failed', cost: 0n }]);
    expect(stage.charges).toEqual([]);
  });

  it('by a model without a price are refused, and the session goes on', async () => {
    await stage.start();
    const client = await stage.open();
    client.send(transcribeBy('write-for-nothing'));
    await expect.poll(() => client.errors).toEqual(['model_not_priced']);
    expect(stage.session.received).toEqual([]);
    client.send(CREATE);
    await expect.poll(() => client.count('response.done')).toBe(1);
  });
});
