import { describe, expect, it } from 'vitest';
import { findChatProtocol } from './chat/chat-protocols.js';

describe('T16: tokens of audio and images, for which a price may have rates of its own', () => {
  it('are told apart in chat completions', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { audio_tokens: 80, cached_tokens: 0 },
      completion_tokens_details: { audio_tokens: 40, reasoning_tokens: 0 },
    };
    expect(findChatProtocol('openai-chat').readAnswerUsage({ usage })).toMatchObject({
      inputTokens: 100,
      audioInputTokens: 80,
      outputTokens: 50,
      audioOutputTokens: 40,
    });
  });

  it('are told apart by Google, and never more than there are', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 20,
      candidatesTokenCount: 50,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 10 },
        { modality: 'AUDIO', tokenCount: 60 },
        { modality: 'VIDEO', tokenCount: 30 },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 20 }],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_000 }],
    };
    expect(findChatProtocol('gemini-generate').readAnswerUsage({ usageMetadata })).toMatchObject({
      inputTokens: 100,
      audioInputTokens: 40,
      imageInputTokens: 30,
      imageOutputTokens: 50,
    });
  });

  it('are left out where nobody tells them', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { audio_tokens: 0 } };
    expect(findChatProtocol('openai-chat').readAnswerUsage({ usage })).not.toHaveProperty('audioInputTokens');
  });
});
