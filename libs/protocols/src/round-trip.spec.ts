import { describe, expect, it } from 'vitest';
import { codec as anthropicMessages } from './anthropic-messages/codec.js';
import type { Codec } from './canonical/codec.js';
import type { ModelTraits } from './canonical/model-traits.js';
import type { CanonicalReply } from './canonical/reply.js';
import { findUpstreamProtocol } from './chat/chat-protocols.js';
import type { JsonObject } from './json.js';
import { codec as openaiChat } from './openai-chat/codec.js';
import { withoutPlaces } from './testing/without-places.js';

const TOOL: JsonObject = { name: 'now', input_schema: { type: 'object', properties: {} } };

/** What a client of one protocol got, as the turn it sends back next time. */
function echo(client: Codec, reply: JsonObject): JsonObject {
  if (client === anthropicMessages) return { role: 'assistant', content: reply.content };
  const [choice] = reply.choices as { message: JsonObject }[];
  return choice?.message ?? {};
}

function answerCall(client: Codec, id: string): JsonObject {
  return client === anthropicMessages
    ? { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'noon' }] }
    : { role: 'tool', tool_call_id: id, content: 'noon' };
}

/** Sends a reply to a client, lets the client send it back with the result of its call, and encodes that for an upstream. */
function sendRound(reply: CanonicalReply, client: Codec, upstream: Codec, traits: ModelTraits = {}) {
  const dropped: string[] = [];
  const body = {
    model: 'm',
    max_tokens: 4096,
    messages: [
      { role: 'user', content: 'Time?' },
      echo(client, client.encodeReply(reply, { model: 'm', includeUsage: true })),
      answerCall(client, 'call_1'),
    ],
    tools: client === anthropicMessages ? [TOOL] : [{ type: 'function', function: { name: 'now' } }],
  };
  const request = client.decodeRequest(body, 'm', false);
  const sent = upstream.encodeRequest(request, {
    upstreamModel: 'u',
    channelType: 'some-channel',
    traits,
    client: findUpstreamProtocol(client.name),
    dropped: { add: (field) => void dropped.push(field) },
  });
  return { messages: sent.messages as JsonObject[], dropped };
}

const thinking = { type: 'thinking', thinking: 'I need the time.', signature: 'c2lnbmF0dXJl' };
const redacted = { type: 'redacted_thinking', data: 'aGlkZGVu' };
const call = { type: 'tool_use', id: 'call_1', name: 'now', input: {} };

const fromAnthropic = anthropicMessages.decodeReply({
  id: 'msg_1',
  content: [thinking, redacted, call],
  stop_reason: 'tool_use',
});

const fromOpenAi = openaiChat.decodeReply({
  id: 'chatcmpl-1',
  choices: [
    {
      message: {
        reasoning_content: 'I need the time.',
        thinking_blocks: [thinking, redacted],
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'now', arguments: '{}' },
            extra_content: { google: { thought_signature: 'Z2VtaW5p' } },
          },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
});

describe('thoughts', () => {
  it('of Anthropic come back whole through a client that speaks OpenAI', () => {
    const { messages, dropped } = sendRound(fromAnthropic, openaiChat, anthropicMessages);
    expect(messages[1]).toEqual({ role: 'assistant', content: [thinking, redacted, call] });
    expect(dropped).toEqual([]);
  });

  it('of an OpenAI-speaking upstream come back to it through a client that speaks Anthropic', () => {
    const { messages, dropped } = sendRound(fromOpenAi, anthropicMessages, openaiChat, {
      acceptsReasoningHistory: true,
    });
    expect(messages[1]).toMatchObject({
      reasoning_content: 'I need the time.',
      thinking_blocks: [thinking, redacted],
      tool_calls: [{ id: 'call_1', extra_content: { google: { thought_signature: 'Z2VtaW5p' } } }],
    });
    expect(dropped).toEqual([]);
  });

  it.each([openaiChat, anthropicMessages])(
    'of one upstream never reach another, by way of $name',
    (client) => {
      const toOpenAi = sendRound(fromAnthropic, client, openaiChat, { acceptsReasoningHistory: true });
      expect(JSON.stringify(toOpenAi.messages)).not.toContain('c2lnbmF0dXJl');
      expect(JSON.stringify(toOpenAi.messages)).not.toContain('I need the time');
      expect(toOpenAi.dropped).toContain('messages.thinking');
      const toAnthropic = sendRound(fromOpenAi, anthropicMessages, anthropicMessages);
      expect(toAnthropic.messages[1]).toEqual({ role: 'assistant', content: [call] });
      expect(toAnthropic.dropped).toContain('messages.thinking');
    },
  );

  it("of Gemini's calls ride with the calls, whichever client carries them", () => {
    const signature = { protocol: 'gemini-generate', value: 'Z2VtaW5p' } as const;
    const reply: CanonicalReply = {
      ...fromAnthropic,
      choices: [
        {
          blocks: [{ type: 'tool-call', id: 'call_1', name: 'now', arguments: '{}', signature }],
          stop: 'tool-call',
          stopSequence: undefined,
          refusal: undefined,
          logprobs: undefined,
        },
      ],
    };
    for (const client of [openaiChat, anthropicMessages]) {
      const encoded = client.encodeReply(reply, { model: 'm', includeUsage: true });
      const body = {
        model: 'm',
        max_tokens: 9,
        messages: [echo(client, encoded), answerCall(client, 'call_1')],
      };
      const [turn] = client.decodeRequest(body, 'm', false).turns;
      expect(withoutPlaces(turn?.blocks)).toEqual([
        { type: 'tool-call', id: 'call_1', name: 'now', arguments: '{}', signature },
      ]);
    }
    const encoded = openaiChat.encodeReply(reply, { model: 'm', includeUsage: true });
    expect(JSON.stringify(encoded)).toContain('"extra_content":{"google":{"thought_signature":"Z2VtaW5p"}}');
  });
});
