import { describe, expect, it } from 'vitest';
import { codec as anthropicMessages } from '../anthropic-messages/codec.js';
import { findUpstreamProtocol } from '../chat/chat-protocols.js';
import { codec as openaiChat } from './codec.js';

const THOUGHT = { type: 'thinking', thinking: 'I need the time.', signature: '' };
const CALL = { type: 'tool_use', id: 'call_1', name: 'clock', input: {} };
const THINKING = { thinking: { type: 'enabled', budget_tokens: 2_048 } };

/** What a model that wants its reasoning back is sent of a loop, and what is left out. */
function sendLoop(content: readonly object[], asked: object = {}) {
  const dropped: string[] = [];
  const body = {
    max_tokens: 4_096,
    messages: [
      { role: 'user', content: 'Time?' },
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '12:00' }] },
    ],
    ...asked,
  };
  const sent = openaiChat.encodeRequest(anthropicMessages.decodeRequest(body, 'm', false), {
    upstreamModel: 'some-thinker',
    channelType: 'some-channel',
    traits: { acceptsReasoningHistory: true, requiresReasoningReplay: true },
    client: findUpstreamProtocol('anthropic-messages'),
    dropped: { add: (field) => dropped.push(field) },
  });
  return { effort: sent.reasoning_effort, dropped };
}

describe('a loop of calls', () => {
  it('goes on thinking where its thoughts came back', () => {
    expect(sendLoop([THOUGHT, CALL])).toEqual({ effort: undefined, dropped: [] });
    expect(sendLoop([THOUGHT, CALL], THINKING)).toEqual({ effort: 'low', dropped: [] });
  });

  it('goes on without thinking where they were lost, and says so to whom asked for them', () => {
    expect(sendLoop([CALL])).toEqual({ effort: 'none', dropped: [] });
    expect(sendLoop([CALL], THINKING)).toEqual({ effort: 'none', dropped: ['thinking'] });
  });
});
