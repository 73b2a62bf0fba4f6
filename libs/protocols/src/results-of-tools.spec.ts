import { describe, expect, it } from 'vitest';
import type { ProtocolName } from './chat/chat-protocols.js';
import { encodeFor } from './testing/encode-for.js';

const OTHERS: readonly ProtocolName[] = [
  'openai-chat',
  'openai-responses',
  'gemini-generate',
  'bedrock-converse',
];
const HOME = 'anthropic-messages';
/** A tool gives back a text and something that only its own protocol knows. */
const request = {
  model: 'm',
  max_tokens: 9,
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't1',
          content: [
            { type: 'text', text: 'a' },
            { type: 'container_upload', file_id: 'file_1' },
          ],
        },
      ],
    },
  ],
};

describe('never less with a 200: what a tool gave back', () => {
  it.each(OTHERS)('is refused where %s has nothing like it', (to) => {
    const param = 'messages[2].content[0].content[1]';
    expect(() => encodeFor(HOME, to, request)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }),
    );
  });

  it('goes back to its own protocol as it was', () => {
    expect(JSON.stringify(encodeFor(HOME, HOME, request).body)).toContain('container_upload');
  });
});

describe('a conversation that holds nothing', () => {
  it.each<ProtocolName>(['openai-chat', 'anthropic-messages', 'bedrock-converse'])(
    "is refused for %s by the client's own name of it",
    (to) => {
      expect(() => encodeFor('gemini-generate', to, { contents: [{ role: 'user' }] })).toThrow(
        expect.objectContaining({ code: 'invalid_request', param: 'contents' }),
      );
    },
  );
});
