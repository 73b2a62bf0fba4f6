import { describe, expect, it } from 'vitest';
import { requiresConversion } from './requires-conversion.js';

const SCHEMA = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } };
const DEVELOPER = { messages: [{ role: 'developer', content: 'Be brief.' }] };

const CALL = { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f' } }] };
const RESULT = { role: 'tool', tool_call_id: 'a', content: 'x' };
const loop = (call: object, ...more: object[]) => ({
  messages: [{ role: 'user', content: 'Hi' }, call, RESULT, ...more],
});

const show = (url: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
});

describe('requiresConversion', () => {
  it.each([
    [SCHEMA, { supportsJsonSchema: false }, true],
    [SCHEMA, {}, false],
    [{ response_format: { type: 'json_object' } }, { supportsJsonSchema: false }, false],
    [{ stream_options: { include_usage: true } }, { supportsStreamUsage: false }, true],
    [{ stream_options: null }, { supportsStreamUsage: false }, false],
    [{ max_completion_tokens: 16 }, { supportsMaxCompletionTokens: false }, true],
    [{ max_tokens: 16 }, { supportsMaxCompletionTokens: false }, false],
    [{ max_completion_tokens: 16 }, { maxTokensField: 'max_tokens' as const }, false],
    // H4: a cap that does not count reasoning is written as the one that does, where there is one.
    [
      { max_tokens: 16 },
      { maxTokensExcludesReasoning: true, maxTokensField: 'max_completion_tokens' as const },
      true,
    ],
    [{ max_tokens: 16 }, { maxTokensExcludesReasoning: true }, false],
    [DEVELOPER, { supportsMaxCompletionTokens: false }, true],
    [DEVELOPER, {}, false],
    [{}, { needsResponseConversion: true }, true],
    [show('https://example.com/mill.png'), { supportsMediaUrls: false }, true],
    [show('https://example.com/mill.png'), {}, false],
    [show('data:image/png;base64,AAAA'), { supportsMediaUrls: false }, false],
    // clients 9: what clients set that cannot know that a model behind an alias thinks.
    [{ max_tokens: 16 }, { supportsSampling: false }, true],
    [{ temperature: 0 }, { supportsSampling: false }, true],
    [{ temperature: 1, top_p: 1, max_completion_tokens: 16 }, { supportsSampling: false }, false],
    [{ temperature: 0, max_tokens: 16 }, {}, false],
    [loop(CALL), { requiresReasoningReplay: true }, true],
    [loop({ ...CALL, reasoning_content: '' }), { requiresReasoningReplay: true }, true],
    [loop({ ...CALL, reasoning_content: 'Hm' }), { requiresReasoningReplay: true }, false],
    [loop(CALL, { role: 'user', content: 'And now?' }), { requiresReasoningReplay: true }, false],
    [loop(CALL), { acceptsReasoningHistory: true }, false],
  ])('%j with %j: %s', (body, traits, needed) => {
    expect(requiresConversion(body, traits)).toBe(needed);
  });
});
