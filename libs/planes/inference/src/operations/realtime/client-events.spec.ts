import { describe, expect, it } from 'vitest';
import { CREATE, RealtimeStage } from './testing/realtime-stage.js';

function transcribeBy(model: string | undefined): object {
  return { type: 'session.update', session: { audio: { input: { transcription: { model } } } } };
}

describe('an event of a client', () => {
  const stage = new RealtimeStage();

  it.each<[string, object | string, string]>([
    ['no JSON', 'no', 'body'],
    ['a name twice', '{"type":"response.create","type":"x"}', 'type'],
    ['a name in another case', '{"type":"session.update","Session":{}}', 'Session'],
    ['a nested name in another case', '{"type":"session.update","session":{"Model":"m"}}', 'session.Model'],
    ['too many levels', `{"type":"response.create","a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'body'],
    ['an unknown event', { type: 'session.spend' }, 'type'],
    ['another model', { type: 'session.update', session: { model: 'chat' } }, 'session.model'],
    ['a model of a response', { type: 'response.create', response: { model: 'talk' } }, 'response.model'],
    ['a model beside the event', { type: 'response.create', model: 'talk' }, 'model'],
    ['a way around the model', { type: 'session.update', session: { fallbacks: ['x'] } }, 'fallbacks'],
    ['a kept prompt', { type: 'response.create', response: { prompt: { id: 'p' } } }, 'response.prompt'],
    [
      'a tool without a price',
      { type: 'session.update', session: { tools: [{ type: 'mcp', server_url: 'https://x' }] } },
      'session.tools[0].type',
    ],
    ['transcription by an unknown model', transcribeBy('nobody'), 'session.audio.input.transcription.model'],
    ['transcription by a model that chats', transcribeBy('chat'), 'session.audio.input.transcription.model'],
    [
      'transcription by a model of another channel',
      transcribeBy('write-elsewhere'),
      'session.audio.input.transcription.model',
    ],
    ['transcription without a model', transcribeBy(undefined), 'session.audio.input.transcription.model'],
    [
      'settings that are too long',
      { type: 'session.update', session: { instructions: 'x'.repeat(262_144) } },
      'session',
    ],
    [
      'transcription in two spellings',
      {
        type: 'session.update',
        session: {
          audio: { input: { transcription: { model: 'write' } } },
          input_audio_transcription: { model: 'write' },
        },
      },
      'session.audio.input.transcription',
    ],
    [
      'sessions of another kind',
      { type: 'session.update', session: { type: 'transcription' } },
      'session.type',
    ],
    [
      'an image without a price',
      { type: 'conversation.item.create', item: { type: 'message', content: [{ type: 'input_image' }] } },
      'item.content[0].type',
    ],
  ])(
    'refuses %s with the name of the member, sends nothing of it, and goes on',
    async (_, message, param) => {
      await stage.start();
      const client = await stage.open();
      client.send(message);
      await expect.poll(() => client.errors).toEqual(['invalid_request']);
      expect(client.find('error')?.error).toMatchObject({ param });
      expect(stage.session.received).toEqual([]);
      client.send(CREATE);
      await expect.poll(() => client.count('response.done')).toBe(1);
    },
  );

  it('sends the upstream its own name of the model, and every other byte as it came', async () => {
    await stage.start({ model: 'their-name' });
    const client = await stage.open();
    client.send(
      '{"type":"session.update", "session":{"model":"talk","temperature":0.80, "x":12345678901234567890}}',
    );
    await expect.poll(() => stage.session.received).toHaveLength(1);
    expect(stage.session.received[0]?.session).toMatchObject({ model: 'their-name', temperature: 0.8 });
  });
});
