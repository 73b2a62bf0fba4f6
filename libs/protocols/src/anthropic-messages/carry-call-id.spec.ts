import { describe, expect, it } from 'vitest';
import { findCodec } from '../chat/chat-protocols.js';
import { carryCallId, restoreCallId } from './carry-call-id.js';

const VALID = /^[a-zA-Z0-9_-]+$/;
const FOREIGN = 'functions.search:0';
const CONTEXT = { model: 'm', includeUsage: true };

describe('ids of calls for clients of Messages', () => {
  it.each([FOREIGN, 'call 1', 'Größe', '', 'call_id_abc', 'toolu_01', 'a'.repeat(100)])(
    'carries %j there and back',
    (id) => {
      const carried = carryCallId(id);
      expect(carried).toMatch(VALID);
      expect(restoreCallId(carried)).toBe(id);
    },
  );

  it('leaves alone what is no carried id', () => {
    for (const id of ['toolu_01', 'call_id_', 'call_id_%', 'call_id_dG9vbHVfMDE'])
      expect(restoreCallId(id)).toBe(id === 'call_id_' ? '' : id);
  });

  it('answers with an id that official SDKs take, and asks with the one that the server gave', () => {
    const chat = findCodec('openai-chat');
    const messages = findCodec('anthropic-messages');
    const call = { id: FOREIGN, type: 'function', function: { name: 'search', arguments: '{}' } };
    const reply = chat.decodeReply({
      id: 'r',
      choices: [
        { index: 0, message: { role: 'assistant', tool_calls: [call] }, finish_reason: 'tool_calls' },
      ],
    });
    const { content } = messages.encodeReply(reply, CONTEXT) as { content: { id: string }[] };
    const id = content[0]?.id ?? '';
    expect(id).toMatch(VALID);

    const encoder = messages.createStreamEncoder(CONTEXT);
    const event = encoder.encode({
      type: 'block-start',
      choice: 0,
      index: 0,
      block: { type: 'tool-call', id: FOREIGN, name: 'search', arguments: '' },
    });
    expect(event).toContain(`"id":"${id}"`);

    const turns = [
      { role: 'user', content: 'find it' },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'search', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'found' }] },
    ];
    const request = messages.decodeRequest({ messages: turns }, 'm', false);
    const blocks = request.turns.flatMap((turn) => turn.blocks);
    expect(blocks).toMatchObject([
      { type: 'text' },
      { type: 'tool-call', id: FOREIGN },
      { type: 'tool-result', callId: FOREIGN },
    ]);
  });
});
