import { describe, expect, it, vi } from 'vitest';
import { findCodec, findUpstreamProtocol, type ProtocolName } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';

const MOST_CHOICES = 128;
const MOST_ITEMS = 4_000;
/** A block counts as four citations. */
const MOST_BLOCKS = 1_000;
const MOST_PROMPTS = 2_048;

function repeat<T>(count: number, write: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => write(at));
}

const choices = (count: number): JsonObject => ({
  id: 'x',
  choices: repeat(count, (index) => ({ index, message: { content: 'a' }, finish_reason: 'stop' })),
});
const candidates = (count: number): JsonObject => ({
  candidates: repeat(count, (index) => ({
    index,
    content: { parts: [{ text: 'a' }] },
    finishReason: 'STOP',
  })),
});
const message = (said: JsonObject): JsonObject => ({ choices: [{ index: 0, message: said }] });
const chatCall = (at: number) => ({ id: `c${at}`, function: { name: 'f', arguments: '{}' } });
const ofMessages = (content: readonly JsonObject[]): JsonObject => ({ type: 'message', content });
const ofGemini = (candidate: JsonObject): JsonObject => ({ candidates: [candidate] });
const ofConverse = (content: readonly JsonObject[]): JsonObject => ({ output: { message: { content } } });
const ofResponses = (output: readonly JsonObject[]): JsonObject => ({ status: 'completed', output });

/** Answers of many items of each kind. */
const ANSWERS: readonly (readonly [ProtocolName, string, (count: number) => JsonObject])[] = [
  ['openai-chat', 'calls', (count) => message({ tool_calls: repeat(count, chatCall) })],
  [
    'openai-chat',
    'parts',
    (count) => message({ content: repeat(count, () => ({ type: 'text', text: 'a' })) }),
  ],
  ['openai-chat', 'citations', (count) => message({ content: 'a', annotations: repeat(count, () => ({})) })],
  ['openai-chat', 'thoughts', (count) => message({ thinking_blocks: repeat(count, () => ({})) })],
  ['openai-chat', 'images', (count) => message({ images: repeat(count, () => ({})) })],
  ['anthropic-messages', 'blocks', (count) => ofMessages(repeat(count, () => ({ type: 'text', text: 'a' })))],
  [
    'anthropic-messages',
    'citations',
    (count) => ofMessages([{ type: 'text', text: 'a', citations: repeat(count, () => ({})) }]),
  ],
  [
    'gemini-generate',
    'parts',
    (count) => ofGemini({ content: { parts: repeat(count, () => ({ text: 'a' })) } }),
  ],
  [
    'gemini-generate',
    'citations',
    (count) =>
      ofGemini({
        content: { parts: [{ text: 'a' }] },
        groundingMetadata: { groundingSupports: [{ groundingChunkIndices: repeat(count, () => 0) }] },
      }),
  ],
  ['bedrock-converse', 'blocks', (count) => ofConverse(repeat(count, () => ({ text: 'a' })))],
  [
    'openai-responses',
    'items',
    (count) => ofResponses(repeat(count, (at) => ({ type: 'function_call', call_id: `c${at}`, name: 'f' }))),
  ],
  [
    'openai-responses',
    'parts',
    (count) =>
      ofResponses([{ type: 'message', content: repeat(count, () => ({ type: 'output_text', text: 'a' })) }]),
  ],
];

describe('M5: an answer holds no more than a request can have asked for', () => {
  it.each([
    ['openai-chat', choices],
    ['gemini-generate', candidates],
  ] as const)('of choices: %s', (name, write) => {
    const { isAnswer } = findUpstreamProtocol(name);
    expect(isAnswer(write(MOST_CHOICES))).toBe(true);
    expect(isAnswer(write(MOST_CHOICES + 1))).toBe(false);
    expect(() => findCodec(name).decodeReply(write(MOST_CHOICES + 1))).toThrow(/holds more than/);
  });

  it('of completions: so many for each prompt, of which one at most is converted', () => {
    const { isAnswer, codec } = findUpstreamProtocol('openai-completions');
    const completions = (count: number): JsonObject => ({
      choices: repeat(count, () => ({ text: 'a' })),
    });
    expect(isAnswer(completions(MOST_PROMPTS * MOST_CHOICES))).toBe(true);
    expect(isAnswer(completions(MOST_PROMPTS * MOST_CHOICES + 1))).toBe(false);
    expect(codec.decodeReply(completions(MOST_CHOICES)).choices).toHaveLength(MOST_CHOICES);
    expect(() => codec.decodeReply(completions(MOST_CHOICES + 1))).toThrow(/holds more than/);
  });

  it.each<[ProtocolName, number, string]>([
    ['openai-chat', MOST_CHOICES, 'choice-end'],
    ['openai-chat', MOST_CHOICES + 1, 'fault'],
    ['openai-completions', MOST_CHOICES, 'choice-end'],
    ['openai-completions', MOST_CHOICES + 1, 'fault'],
  ])('and so in a stream: %s, %i choices', (name, count, last) => {
    const decoder = findCodec(name).createStreamDecoder();
    const chunk = (index: number) => ({
      choices: [{ index, text: 'a', delta: { content: 'a' }, finish_reason: 'stop' }],
    });
    const frames = repeat(count, (index) => `data: ${JSON.stringify(chunk(index))}\n\n`);
    const events = [...decoder.push(Buffer.from(frames.join(''))), ...decoder.end()];
    expect(events.findLast(({ type }) => type !== 'reply-end')?.type).toBe(last);
  });

  it.each(ANSWERS)('of what is converted one by one: %s, %s', (name, items, write) => {
    const { codec, listAnswerInputs } = findUpstreamProtocol(name);
    const most = items === 'citations' ? MOST_ITEMS : MOST_BLOCKS;
    // A choice, a message and the cited text count, too.
    expect(codec.decodeReply(write(most - 6)).choices).toHaveLength(1);
    expect(() => codec.decodeReply(write(most + 1))).toThrow(/holds more than 4000 items/);
    for (const list of listAnswerInputs ? [listAnswerInputs] : []) {
      expect(() => list(write(most + 1))).toThrow(/holds more than 4000 items/);
    }
  });

  it.each<[ProtocolName, string, (items: JsonObject[]) => JsonObject]>([
    ['anthropic-messages', 'citations', ofMessages],
    ['gemini-generate', 'functionCall', (parts) => ofGemini({ content: { parts } })],
    ['bedrock-converse', 'citationsContent', ofConverse],
    ['openai-responses', 'content', ofResponses],
  ])('and of too many items none is looked at: %s', (name, member, write) => {
    const unread = () =>
      Object.defineProperty({}, member, {
        get: () => {
          throw new Error('an item is looked at');
        },
      });
    expect(() => findCodec(name).decodeReply(write(repeat(MOST_ITEMS + 1, unread)))).toThrow(
      /holds more than 4000 items/,
    );
  });

  it('nor does an event of a stream', async () => {
    const delta = { tool_calls: repeat(MOST_ITEMS + 1, (index) => ({ index, ...chatCall(index) })) };
    const event = Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
    const pause = () => Promise.resolve();
    for (const events of [
      findCodec('openai-chat').createStreamDecoder().push(event),
      await findCodec('openai-chat').createStreamDecoder().pushInSteps(event, pause),
    ]) {
      expect(events).toMatchObject([
        { type: 'fault', fault: { message: expect.stringMatching(/holds more/) } },
      ]);
    }
  });

  it('but for the last event of a response, which repeats what came item by item', () => {
    const call = (at: number) => ({ type: 'function_call', call_id: `c${at}`, name: 'f', arguments: '{}' });
    const output = repeat(MOST_ITEMS + 1, call);
    const frames = [
      ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
      { type: 'response.completed', response: { ...ofResponses(output), usage: { output_tokens: 7 } } },
    ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const events = findCodec('openai-responses')
      .createStreamDecoder()
      .push(Buffer.from(frames.join('')));
    expect(events.findLast(({ type }) => type === 'usage')).toMatchObject({ usage: { outputTokens: 7 } });
    expect(events.at(-1)?.type).toBe('reply-end');
  });

  it('nor arguments that come in pieces, which are written in one step', () => {
    const chunk = (functionCall: JsonObject) =>
      `data: ${JSON.stringify(ofGemini({ content: { parts: [{ functionCall }] } }))}\n\n`;
    const stringValue = 'a'.repeat(10_000);
    const read = (pieces: number) =>
      findCodec('gemini-generate')
        .createStreamDecoder()
        .push(
          Buffer.from(
            [
              chunk({ name: 'f', willContinue: true }),
              ...repeat(pieces, () =>
                chunk({
                  willContinue: true,
                  partialArgs: [{ jsonPath: '$.a', stringValue, willContinue: true }],
                }),
              ),
              chunk({}),
            ].join(''),
          ),
        )
        .find(({ type }) => type === 'fault' || type === 'block-start');
    expect(read(100)).toMatchObject({ block: { type: 'tool-call', name: 'f' } });
    expect(read(110)).toMatchObject({ fault: { message: expect.stringMatching(/arguments of a call/) } });
  });

  it('but for likelihoods, of which each token has one', () => {
    const content = repeat(200_000, () => ({ token: 'a', logprob: -1 }));
    const choice = { index: 0, message: { content: 'a' }, logprobs: { content }, finish_reason: 'stop' };
    const reply = findCodec('openai-chat').decodeReply({ choices: [choice] });
    const { output } = findCodec('openai-responses').encodeReply(reply, { model: 'm', includeUsage: true });
    expect(output).toMatchObject([{ content: [{ logprobs: { length: content.length } }] }]);
  });

  it('and of thoughts that signatures repeat some megabytes are searched', () => {
    const chunk = (delta: JsonObject) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
    const thinking_blocks = (at: number) => [{ type: 'thinking', thinking: `b${at}`, signature: 's' }];
    const stream = [
      chunk({ reasoning_content: 'a'.repeat(1_000_000) }),
      ...repeat(600, (at) => chunk({ thinking_blocks: thinking_blocks(at) })),
    ];
    const search = vi.spyOn(String.prototype, 'includes');
    findCodec('openai-chat')
      .createStreamDecoder()
      .push(Buffer.from(stream.join('')));
    const searched = search.mock.contexts.filter((text) => String(text).length >= 1_000_000);
    search.mockRestore();
    expect(searched.length).toBeLessThan(20);
  });
});

describe('M5: a file in an answer of Google whose base64 is in no standard form', () => {
  const read = (mimeType: string, data: string) =>
    findCodec('gemini-generate').decodeReply(
      ofGemini({ content: { parts: [{ inlineData: { mimeType, data } }] } }),
    ).choices[0]?.blocks[0];
  const MOST = 256 * 1024;

  it('is brought into it, and is a text where it is one', () => {
    expect(read('image/png', '_-_-')).toMatchObject({ source: { base64: '/+/+' } });
    expect(read('text/plain', 'YQ==')).toMatchObject({ source: { type: 'text', text: 'a' } });
  });

  it('goes on as it came where it is long', () => {
    const data = '_-_-'.repeat(MOST / 4 + 1);
    expect(read('image/png', data)).toMatchObject({ source: { type: 'bytes', base64: data } });
    expect(read('text/plain', data)).toMatchObject({ source: { type: 'bytes', base64: data } });
  });
});
