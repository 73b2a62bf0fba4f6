import { describe, expect, it } from 'vitest';
import { codec as anthropicMessages } from '../anthropic-messages/codec.js';
import { ConvertingStream } from '../chat/converting-stream.js';
import type { JsonObject } from '../json.js';
import { findUpstreamProtocol } from '../chat/chat-protocols.js';
import { codec as openaiChat } from './codec.js';

const SIGNED = {
  type: 'reasoning.text',
  text: 'I need the time.',
  signature: 'c2lnbmVk',
  format: 'anthropic-claude-v1',
  index: 0,
};
const HIDDEN = {
  type: 'reasoning.encrypted',
  data: 'aGlkZGVu',
  id: 'rs_1',
  format: 'openai-responses-v1',
  index: 1,
};
const CALL = { id: 'call_1', type: 'function', function: { name: 'clock', arguments: '{}' } };
const context = { model: 'some-model', includeUsage: true };

/** What OpenRouter gets of a conversation that a client of Anthropic's protocol continues. */
function sendBack(content: unknown): JsonObject {
  const body = {
    max_tokens: 64,
    messages: [
      { role: 'user', content: 'Time?' },
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '12:00' }] },
    ],
  };
  const sent = openaiChat.encodeRequest(anthropicMessages.decodeRequest(body, 'm', false), {
    upstreamModel: 'anthropic/claude-sonnet-5',
    channelType: 'openrouter',
    traits: { reasoningField: 'reasoning', acceptsReasoningHistory: true },
    client: findUpstreamProtocol('anthropic-messages'),
    dropped: { add: () => undefined },
  });
  return (sent.messages as JsonObject[])[1] ?? {};
}

describe('details of reasoning', () => {
  it('come back to OpenRouter as they were, by way of another protocol', () => {
    const message = {
      role: 'assistant',
      content: null,
      reasoning: SIGNED.text,
      reasoning_details: [SIGNED, HIDDEN],
      tool_calls: [CALL],
    };
    const reply = openaiChat.decodeReply({ id: '1', choices: [{ index: 0, message }] });
    const { content } = anthropicMessages.encodeReply(reply, context);
    expect(content).toMatchObject([
      { type: 'thinking', thinking: SIGNED.text },
      { type: 'redacted_thinking' },
      { type: 'tool_use' },
    ]);
    const sent = sendBack(content);
    expect(sent.reasoning_details).toEqual([SIGNED, HIDDEN]);
    expect(sent).not.toHaveProperty('reasoning');
    expect(sent).not.toHaveProperty('thinking_blocks');
  });

  it('come out of a stream once, with their proof at the end', () => {
    const { text, signature, ...facts } = SIGNED;
    const deltas = [
      { reasoning: 'I need ', reasoning_details: [{ ...facts, text: 'I need ' }] },
      { reasoning: 'the time.', reasoning_details: [{ ...facts, text: 'the time.' }] },
      { reasoning_details: [{ ...facts, signature }] },
      { reasoning_details: [HIDDEN] },
      { tool_calls: [{ index: 0, ...CALL }] },
    ];
    const chunks = deltas.map((delta) => ({ id: '1', choices: [{ index: 0, delta }] }));
    const end = { id: '1', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    const stream = new ConvertingStream(openaiChat, anthropicMessages, context);
    const wire = [...chunks, end].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    const written = stream.push(Buffer.from(`${wire}data: [DONE]\n\n`)).toString();
    const events = [...written.matchAll(/^data: (.*)$/gm)].map(
      ([, json]) => JSON.parse(json ?? '') as StreamedChunk,
    );
    const thinking = events.map((event) => event.delta?.thinking ?? '').join('');
    const proof = events.find((event) => event.delta?.signature)?.delta?.signature;
    const hidden = events.find((event) => event.content_block?.type === 'redacted_thinking')?.content_block;
    expect(thinking).toBe(text);
    const sent = sendBack([
      { type: 'thinking', thinking, signature: proof },
      hidden,
      { type: 'tool_use', id: 'call_1', name: 'clock', input: {} },
    ]);
    expect(sent.reasoning_details).toEqual([SIGNED, HIDDEN]);
  });

  it('are left out for OpenAI itself', () => {
    const message = { role: 'assistant', content: 'Noon.', reasoning_details: [SIGNED] };
    const request = openaiChat.decodeRequest(
      { messages: [{ role: 'user', content: 'Time?' }, message] },
      'm',
      false,
    );
    const dropped: string[] = [];
    const sent = openaiChat.encodeRequest(request, {
      upstreamModel: 'gpt-5',
      channelType: 'openai',
      traits: { acceptsReasoningFields: false },
      client: findUpstreamProtocol('openai-chat'),
      dropped: { add: (field) => dropped.push(field) },
    });
    expect((sent.messages as JsonObject[])[1]).toEqual({ role: 'assistant', content: 'Noon.' });
    expect(dropped).toEqual(['messages.thinking']);
  });
});

interface StreamedChunk {
  readonly delta?: { readonly thinking?: string; readonly signature?: string };
  readonly content_block?: { readonly type: string };
}
