import { describe, expect, it } from 'vitest';
import { codec as openaiChat } from '../openai-chat/codec.js';
import { codec as openaiResponses } from '../openai-responses/codec.js';
import { findUpstreamProtocol } from '../chat/chat-protocols.js';
import type { OpenAiChatTraits } from '../openai-chat/traits.js';
import { ConvertingStream } from '../chat/converting-stream.js';
import type { CanonicalReply } from './reply.js';
import { cutReply, findUnsupportedStops } from './cut-at-stop.js';

const goOn = () => Promise.resolve();
const context = { model: 'some-model', includeUsage: true };

/** A stream of the Responses API whose text comes in the pieces given. */
function streamOf(pieces: readonly string[]): string {
  const text = pieces.join('');
  const item = { type: 'message', id: 'msg_1', role: 'assistant' };
  const events = [
    { type: 'response.created', response: { id: 'resp_1', model: 'gpt', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    {
      type: 'response.content_part.added',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '' },
    },
    ...pieces.map((delta) => ({
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: 'response.output_text.done', output_index: 0, content_index: 0, text },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...item, content: [{ type: 'output_text', text }] },
    },
    {
      type: 'response.completed',
      response: {
        id: 'resp_1',
        model: 'gpt',
        status: 'completed',
        output: [{ ...item, content: [{ type: 'output_text', text }] }],
        usage: { input_tokens: 5, output_tokens: 9 },
      },
    },
  ];
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** What a client of chat completions gets: the text, how it ended, and the usage. */
function convert(pieces: readonly string[], stops: readonly string[]) {
  const stream = new ConvertingStream(openaiResponses, openaiChat, context, stops);
  const written = stream.push(Buffer.from(streamOf(pieces))).toString() + stream.end().toString();
  const chunks = written
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Chunk);
  return {
    text: chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''),
    finish: chunks.map((chunk) => chunk.choices[0]?.finish_reason).filter((reason) => reason),
    completionTokens: chunks.at(-1)?.usage?.completion_tokens,
    isWhole: stream.ended && written.endsWith('data: [DONE]\n\n'),
  };
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string };
    readonly finish_reason?: string;
  }[];
  readonly usage?: { readonly completion_tokens: number };
}

describe('an answer that the gateway cuts at a stop string', () => {
  it.each([
    [['One. STOP Two.'], 'One. '],
    [['One. ', 'S', 'T', 'O', 'P Two.'], 'One. '],
    [['One. ST', 'AR and STO', 'P'], 'One. STAR and '],
    [['STOP'], ''],
    [['One. ', 'STO'], 'One. STO'],
    [['One. END ', 'STOP'], 'One. '],
  ])('of the pieces %j sends %j', (pieces, text) => {
    expect(convert(pieces, ['STOP', 'END'])).toEqual({
      text,
      finish: ['stop'],
      completionTokens: 9,
      isWhole: true,
    });
  });

  it('is cut whole as well, and says what it met', async () => {
    const reply: CanonicalReply = {
      id: '1',
      model: 'm',
      created: 0,
      choices: [
        {
          blocks: [
            { type: 'reasoning', text: 'STOP is a word.' },
            { type: 'text', text: 'One. STOP Two.' },
            { type: 'tool-call', id: 'call_1', name: 'find', arguments: '{}' },
          ],
          stop: 'tool-call',
          stopSequence: undefined,
          refusal: undefined,
          logprobs: undefined,
        },
      ],
      usage: undefined,
      ext: {},
    };
    expect((await cutReply(reply, ['STOP'], goOn)).choices[0]).toMatchObject({
      blocks: [{ type: 'reasoning' }, { type: 'text', text: 'One. ' }],
      stop: 'stop-sequence',
      stopSequence: 'STOP',
    });
    expect(await cutReply(reply, [], goOn)).toBe(reply);
  });

  it('is cut at the stop string that is whole first, as where the model itself stops', () => {
    expect(convert(['One. AB', 'C Two.'], ['ABCD', 'BC'])).toMatchObject({ text: 'One. A' });
    expect(convert(['One. ABC Two.'], ['BC', 'ABC'])).toMatchObject({ text: 'One. ' });
  });

  it('is one of an upstream that takes no stop strings', () => {
    const request = openaiChat.decodeRequest({ messages: [], stop: ['a', ''] }, 'm', false);
    expect(findUnsupportedStops(request, findUpstreamProtocol('openai-responses'), {})).toEqual(['a']);
    const withoutStops: OpenAiChatTraits = { supportsStop: false };
    expect(findUnsupportedStops(request, findUpstreamProtocol('openai-chat'), withoutStops)).toEqual(['a']);
    expect(findUnsupportedStops(request, findUpstreamProtocol('openai-chat'), {})).toEqual([]);
  });
});
