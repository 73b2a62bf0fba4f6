import { describe, expect, it } from 'vitest';
import { chooseRealtime } from '../build-outgoing.js';
import { sandbox } from './index.js';

describe('a simulated session of the Live API', () => {
  function open(generationConfig: object) {
    const messages: { serverContent?: { turnComplete?: true }; usageMetadata?: object }[] = [];
    const surface = chooseRealtime(sandbox, 'gemini-live', 'sandbox-realtime', {});
    const call = { model: 'sandbox-realtime', stream: true, settings: {} };
    const partner = surface?.converse?.(call, (event) => messages.push(JSON.parse(event)));
    const send = (message: object) => partner?.receive(JSON.stringify(message));
    send({ setup: { model: 'models/sandbox-realtime', generationConfig } });
    return { messages, send };
  }

  it('answers in audio what it is asked, and says what that used', () => {
    const { messages, send } = open({});
    expect(messages).toEqual([{ setupComplete: {} }]);
    send({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello?' }] }], turnComplete: true } });
    expect(JSON.stringify(messages)).toContain('audio/pcm;rate=24000');
    expect(messages.at(-1)).toMatchObject({
      serverContent: { turnComplete: true },
      usageMetadata: { promptTokensDetails: [{ modality: 'TEXT' }, { modality: 'AUDIO', tokenCount: 0 }] },
    });
  });

  it('answers in text where that is wanted, and speech at its end', () => {
    const { messages, send } = open({ responseModalities: ['TEXT'] });
    send({ realtimeInput: { audio: { mimeType: 'audio/pcm', data: 'A'.repeat(12_800) } } });
    expect(messages).toHaveLength(1);
    send({ realtimeInput: { audioStreamEnd: true } });
    expect(JSON.stringify(messages)).toContain('simulated');
    expect(messages.at(-1)).toMatchObject({
      usageMetadata: {
        promptTokensDetails: [{ tokenCount: 0 }, { tokenCount: 8 }],
        responseTokensDetails: [{ modality: 'TEXT' }, { tokenCount: 0 }],
      },
    });
  });
});

describe('a simulated session that only transcribes', () => {
  it('says what was heard for how long', () => {
    const events: { type: string }[] = [];
    const surface = chooseRealtime(sandbox, 'openai-realtime', 'sandbox-transcribe', {});
    const call = {
      model: 'sandbox-transcribe',
      stream: true,
      settings: {},
      intent: 'transcription',
    } as const;
    const partner = surface?.converse?.(call, (event) => events.push(JSON.parse(event)));
    for (const event of [
      { type: 'session.update', session: { type: 'transcription' } },
      { type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) },
      { type: 'input_audio_buffer.commit' },
    ]) {
      partner?.receive(JSON.stringify(event));
    }
    expect(events.map(({ type }) => type)).toEqual([
      'session.created',
      'session.updated',
      'input_audio_buffer.committed',
      'conversation.item.input_audio_transcription.delta',
      'conversation.item.input_audio_transcription.completed',
    ]);
    expect(events.at(-1)).toMatchObject({ usage: { type: 'duration', seconds: 1 } });
  });
});
