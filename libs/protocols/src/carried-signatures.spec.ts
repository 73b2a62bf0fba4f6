import { describe, expect, it } from 'vitest';
import { codec as converse } from './bedrock-converse/codec.js';
import type { Block } from './canonical/blocks.js';
import type { Codec } from './canonical/codec.js';
import { findUpstreamProtocol } from './chat/chat-protocols.js';
import type { CanonicalReply } from './canonical/reply.js';
import { codec as geminiGenerate } from './gemini-generate/codec.js';
import type { JsonObject } from './json.js';
import { codec as openaiChat } from './openai-chat/codec.js';
import { codec as openaiResponses } from './openai-responses/codec.js';
import { withoutPlaces } from './testing/without-places.js';

const call = { type: 'tool-call', id: 'call_1', name: 'now', arguments: '{}' } as const;

/** Replies of each provider, with all that it wants back. */
const REPLIES: Readonly<Record<string, readonly Block[]>> = {
  'anthropic-messages': [
    {
      type: 'reasoning',
      text: 'I need the time.',
      signature: { protocol: 'anthropic-messages', value: 'c2ln' },
    },
    { type: 'reasoning', text: '', redacted: { protocol: 'anthropic-messages', value: 'aGlk' } },
    call,
  ],
  'gemini-generate': [
    { type: 'reasoning', text: 'I need the time.' },
    { ...call, signature: { protocol: 'gemini-generate', value: 'Z2Vt' } },
  ],
  'bedrock-converse': [
    {
      type: 'reasoning',
      text: 'I need the time.',
      signature: { protocol: 'bedrock-converse', value: 'bm92YQ==' },
    },
    { type: 'reasoning', text: '', redacted: { protocol: 'bedrock-converse', value: 'ZGFyaw==' } },
    call,
  ],
  'openai-chat': [
    {
      type: 'reasoning',
      text: 'I need the time.',
      signature: { protocol: 'openai-chat', value: '{"type":"reasoning.text","signature":"cm91dA=="}' },
    },
    call,
  ],
  'openai-responses': [
    {
      type: 'reasoning',
      text: 'I need the time.',
      signature: { protocol: 'openai-responses', value: 'gAAA+/=' },
    },
    { type: 'reasoning', text: '', signature: { protocol: 'openai-responses', value: 'gBBB' } },
    call,
  ],
};

function toReply(blocks: readonly Block[]): CanonicalReply {
  const choice = {
    blocks,
    stop: 'tool-call',
    stopSequence: undefined,
    refusal: undefined,
    logprobs: undefined,
  } as const;
  return { id: 'r1', model: 'm', created: 1, choices: [choice], usage: undefined, ext: {} };
}

/** The next request of a client that keeps what it was sent and answers the call. */
const ECHOES: readonly (readonly [Codec, (reply: JsonObject) => JsonObject])[] = [
  [
    openaiResponses,
    (reply) => ({
      input: [
        { role: 'user', content: 'Time?' },
        ...(reply.output as JsonObject[]),
        { type: 'function_call_output', call_id: 'call_1', output: 'noon' },
      ],
    }),
  ],
  [
    geminiGenerate,
    (reply) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Time?' }] },
        (reply.candidates as { content: JsonObject }[])[0]?.content,
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'call_1', name: 'now', response: { output: 'noon' } } }],
        },
      ],
    }),
  ],
];

describe('signatures carried by clients of another protocol', () => {
  for (const [client, echo] of ECHOES) {
    for (const [provider, blocks] of Object.entries(REPLIES)) {
      it(`${provider} gets its own back through ${client.name}`, () => {
        const reply = client.encodeReply(toReply(blocks), { model: 'm', includeUsage: true });
        const request = client.decodeRequest(echo(reply), 'm', false);
        const returned = request.turns[1]?.blocks.map((block) => stripId(block));
        expect(withoutPlaces(returned)).toEqual(blocks);
      });
    }
  }

  it('never reach another provider', () => {
    for (const [provider, blocks] of Object.entries(REPLIES)) {
      for (const upstream of [openaiChat, openaiResponses, geminiGenerate, converse].filter(
        ({ name }) => name !== provider,
      )) {
        const turns = [
          { role: 'user', blocks: [{ type: 'text', text: 'Time?' }] },
          { role: 'assistant', blocks },
        ] as const;
        const dropped: string[] = [];
        const request = { ...openaiResponses.decodeRequest({ input: 'x' }, 'm', false), turns };
        const sent = upstream.encodeRequest(request, {
          upstreamModel: 'some-model',
          channelType: 'some-channel',
          traits: { requiresCallSignatures: true },
          client: findUpstreamProtocol('openai-responses'),
          dropped: { add: (field) => void dropped.push(field) },
        });
        expect(JSON.stringify(sent)).not.toMatch(/c2ln|aGlk|bm92|ZGFy|Z2Vt|cm91|gAAA|gBBB|I need the time/);
        expect(dropped.join()).toContain('thinking');
      }
    }
  });
});

/** Items of a response have ids, which ride with what they encrypt. */
function stripId(block: Block): Block {
  if (block.type !== 'reasoning' || block.signature?.protocol !== 'openai-responses') return block;
  const { signature } = block;
  return { ...block, signature: { ...signature, value: signature.value.replace(/^rs_[^|]*\|/, '') } };
}
