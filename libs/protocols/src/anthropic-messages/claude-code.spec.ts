import { describe, expect, it } from 'vitest';
import type { ProtocolName } from '../chat/chat-protocols.js';
import { encodeFor } from '../testing/encode-for.js';
import { anthropicMessages } from './index.js';

const OTHERS: readonly ProtocolName[] = [
  'openai-chat',
  'openai-responses',
  'gemini-generate',
  'bedrock-converse',
];
const BILLING = 'x-anthropic-billing-header: cc_version=2.1.330.1f2; cc_entrypoint=cli; cch=00000;';
const HOME = 'anthropic-messages';

describe('clients 10: what Claude Code sends', () => {
  const request = {
    model: 'm',
    max_tokens: 100,
    system: [
      { type: 'text', text: BILLING },
      { type: 'text', text: 'You are Claude Code.' },
    ],
    tools: [{ name: 'ToolSearch', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'Send a mail.' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: { query: 'mail' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [{ type: 'tool_reference', tool_name: 'mcp__mail__send' }],
          },
        ],
      },
    ],
  };

  it.each(OTHERS)('%s: opens with what is the same in every call, and the found tool is named', (to) => {
    const { body, dropped } = encodeFor(HOME, to, request);
    const json = JSON.stringify(body);
    expect(json).not.toContain('x-anthropic-billing-header');
    expect(json).toContain('You are Claude Code.');
    expect(json).toContain('Loaded tool: mcp__mail__send');
    expect(dropped).toEqual(['billing_header']);
  });

  it('Claude gets both as they came', () => {
    const { body, dropped } = encodeFor(HOME, HOME, request);
    expect(body).toMatchObject({ system: request.system, messages: [{}, {}, request.messages[2]] });
    expect(dropped).toEqual([]);
  });
});

describe('clients 5: a conversation that the provider would keep', () => {
  const create = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
  const read = (thread: unknown) => () =>
    anthropicMessages.readCall(Buffer.from(JSON.stringify({ ...create, thread })), { query: {} });

  it.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
    'is refused with what the SDK goes on without it for: %j',
    (thread) => {
      const details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };
      expect(read(thread)).toThrow(expect.objectContaining({ param: 'thread', status: 400, details }));
    },
  );

  it('is none where there is none', () => {
    expect(read(null)).not.toThrow();
  });
});
