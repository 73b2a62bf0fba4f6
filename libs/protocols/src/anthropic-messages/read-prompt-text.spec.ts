import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../canonical/steps.js';
import { joinPieces } from '../canonical/text-pieces.js';
import { listMessagesPromptTexts } from './read-prompt-text.js';
import { listMessagesTexts } from './read-produced-text.js';

describe('listMessagesPromptTexts', () => {
  it('collects what a model reads: system, turns, calls, results, documents and tools, but no bytes', () => {
    const texts = listMessagesPromptTexts({
      system: [{ type: 'text', text: 'SYSTEM' }],
      messages: [
        { role: 'user', content: 'HELLO' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'NAME', input: { key: 'VALUE' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'RESULT' }] },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'BYTES' } },
            { type: 'document', title: 'TITLE', source: { type: 'text', data: 'BODY' } },
          ],
        },
      ],
      tools: [{ name: 'TOOL', input_schema: {} }],
    });
    const text = runAtOnce(texts).join('\n');
    for (const word of ['SYSTEM', 'HELLO', 'NAME', 'VALUE', 'RESULT', 'TITLE', 'BODY', 'TOOL']) {
      expect(text).toContain(word);
    }
    expect(text).not.toContain('BYTES');
  });
});

describe('listMessagesTexts', () => {
  it('collects what a model wrote in a whole message', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm. ' },
      { type: 'text', text: 'Hi.' },
      { type: 'tool_use', name: 'now', input: { a: 1 } },
    ];
    expect(joinPieces(listMessagesTexts({ content }))).toBe('Hm. Hi.now{"a":1}');
  });
});
