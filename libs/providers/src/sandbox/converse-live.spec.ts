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
