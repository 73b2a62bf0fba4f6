import { describe, expect, it } from 'vitest';
import { needsOtherWords } from './needs-other-words.js';

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

describe('needsOtherWords', () => {
  it.each([
    [SCHEMA, { jsonSchema: false }, true],
    [SCHEMA, {}, false],
    [{ response_format: { type: 'json_object' } }, { jsonSchema: false }, false],
    [{ stream_options: { include_usage: true } }, { streamUsage: false }, true],
    [{ stream_options: null }, { streamUsage: false }, false],
    [{ max_completion_tokens: 16 }, { laterWords: false }, true],
    [{ max_tokens: 16 }, { laterWords: false }, false],
    [{ max_completion_tokens: 16 }, { maxTokensField: 'max_tokens' as const }, false],
    // H4: a cap that does not count thoughts is written as the one that does, where there is one.
    [
      { max_tokens: 16 },
      { maxTokensOmitsThoughts: true, maxTokensField: 'max_completion_tokens' as const },
      true,
    ],
    [{ max_tokens: 16 }, { maxTokensOmitsThoughts: true }, false],
    [DEVELOPER, { laterWords: false }, true],
    [DEVELOPER, {}, false],
    [{}, { oddAnswers: true }, true],
    [show('https://example.com/mill.png'), { mediaByUrl: false }, true],
    [show('https://example.com/mill.png'), {}, false],
    [show('data:image/png;base64,AAAA'), { mediaByUrl: false }, false],
    [loop(CALL), { loopNeedsThoughts: true }, true],
    [loop({ ...CALL, reasoning_content: '' }), { loopNeedsThoughts: true }, true],
    [loop({ ...CALL, reasoning_content: 'Hm' }), { loopNeedsThoughts: true }, false],
    [loop(CALL, { role: 'user', content: 'And now?' }), { loopNeedsThoughts: true }, false],
    [loop(CALL), { replayReasoning: true }, false],
  ])('%j with %j: %s', (body, traits, needed) => {
    expect(needsOtherWords(body, traits)).toBe(needed);
  });
});
