import { describe, expect, it } from 'vitest';
import { findUpstreamProtocol } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { codec as openaiChat } from '../openai-chat/codec.js';
import { codec as anthropicMessages } from './codec.js';
import type { AnthropicMessagesTraits } from './traits.js';

const ALWAYS: AnthropicMessagesTraits = {
  supportsAdaptiveThinking: true,
  thinksByDefault: true,
  thinkingOff: 'lowest_effort',
  supportsForcedToolChoice: false,
};
const BETWEEN: AnthropicMessagesTraits = { ...ALWAYS, thinkingOff: 'between_tools' };
const UNASKED: AnthropicMessagesTraits = { supportsAdaptiveThinking: true, thinksByDefault: true };
const TOOL = { type: 'function', function: { name: 'find', parameters: { type: 'object', properties: {} } } };
const FORCED = { tools: [TOOL], tool_choice: 'required' };
const LOST = {
  tools: [TOOL],
  messages: [
    { role: 'user', content: 'Find it.' },
    { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'find' } }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'Found.' },
  ],
};

/** What a chat request becomes for a Claude, and what was left out. */
function encode(members: JsonObject, traits: AnthropicMessagesTraits) {
  const dropped: string[] = [];
  const body = { messages: [{ role: 'user', content: 'Find it.' }], ...members };
  const sent = anthropicMessages.encodeRequest(openaiChat.decodeRequest(body, 'some-model', false), {
    upstreamModel: 'claude',
    channelType: 'anthropic',
    traits,
    client: findUpstreamProtocol('openai-chat'),
    dropped: { add: (field) => dropped.push(field) },
  });
  return { thinking: sent.thinking, effort: (sent.output_config as JsonObject | undefined)?.effort, dropped };
}

describe('thinking of a Claude', () => {
  it.each<[string, AnthropicMessagesTraits, { thinking?: unknown; effort?: string }]>([
    ['is disabled', {}, { thinking: { type: 'disabled' } }],
    ['is not asked for, where that is enough', { thinkingOff: 'omitted' }, {}],
    ['stays between calls of tools', BETWEEN, { thinking: { type: 'between_tools' } }],
    ['is asked for least, where it cannot be switched off', ALWAYS, { effort: 'low' }],
    ['needs no switch in models that cannot think', { supportsAdaptiveThinking: false, efforts: [] }, {}],
  ])('%s', (_name, traits, expected) => {
    expect(encode({ reasoning_effort: 'none' }, traits)).toEqual({ ...expected, dropped: [] });
  });

  it('gives way to a forced call, also where nobody asked for it', () => {
    expect(encode(FORCED, UNASKED)).toEqual({ thinking: { type: 'disabled' }, dropped: [] });
    expect(encode(FORCED, {})).toEqual({ dropped: [] });
    expect(encode({ ...FORCED, reasoning_effort: 'high' }, UNASKED)).toEqual({
      thinking: { type: 'disabled' },
      dropped: ['thinking'],
    });
  });

  it('makes a forced call impossible where it cannot be switched off', () => {
    expect(() => encode(FORCED, ALWAYS)).toThrow(/tool_choice cannot be used/);
  });

  it('is not asked of models that cannot think', () => {
    expect(encode({ reasoning_effort: 'high' }, { supportsAdaptiveThinking: false, efforts: [] })).toEqual({
      dropped: ['thinking'],
    });
  });

  it('goes on in a loop of calls without thoughts only where the model decides by itself', () => {
    const asked = { ...LOST, reasoning_effort: 'high' };
    expect(encode(asked, UNASKED)).toMatchObject({ thinking: { type: 'adaptive' }, dropped: [] });
    expect(encode(asked, { supportsAdaptiveThinking: false })).toEqual({ dropped: ['thinking'] });
  });
});
