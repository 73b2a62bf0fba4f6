import { describe, expect, it } from 'vitest';
import { readRepeatedSettings } from './repeated-settings.js';

const NOTHING = { reasoning: { effort: null, summary: null } };

describe('settings that a response repeats', () => {
  it('are those that are short', () => {
    const settings = {
      max_output_tokens: 10,
      metadata: { a: 'b' },
      parallel_tool_calls: false,
      reasoning: { effort: 'low', summary: null },
      temperature: 0,
      tool_choice: 'required',
      top_p: 0.5,
      truncation: 'auto',
      user: 'u',
    };
    expect(readRepeatedSettings({ ...settings, instructions: 'i', tools: [{}], input: 'x' })).toEqual(
      settings,
    );
  });

  it.each([
    ['a long text', { user: 'x'.repeat(513) }],
    ['a long value', { metadata: { a: 'x'.repeat(513) } }],
    ['many values', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`n${at}`, 'x'])) }],
    ['no text', { metadata: { a: 1 }, tool_choice: { type: 'function', name: 'f' } }],
  ])('are not %s', (_, request) => {
    expect(readRepeatedSettings(request)).toEqual(NOTHING);
  });
});
