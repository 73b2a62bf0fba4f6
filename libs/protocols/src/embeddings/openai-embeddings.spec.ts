import { describe, expect, it, vi } from 'vitest';
import type { ExchangeTarget, UpstreamAnswer } from '../exchange/exchange.js';
import { decodeVector, encodeVector } from './embedding.js';
import { readEmbedContent } from './gemini-embeddings.js';
import { readOpenAiEmbeddingRequest } from './openai-embeddings.js';
import { readOpenAiEmbeddings } from './read-embeddings.js';

const target: ExchangeTarget = {
  protocol: 'openai-embeddings',
  model: 'upstream-model',
  channelType: 'openai-compatible',
  traits: {},
  dropped: { add: () => undefined },
};

const read = (body: unknown) => readOpenAiEmbeddings(Buffer.from(JSON.stringify(body)));

function answer(body: unknown): UpstreamAnswer {
  const bytes = Buffer.from(JSON.stringify(body));
  return { contentType: 'application/json', bytes, parsed: body as Record<string, unknown> };
}

const answered = (embeddings: unknown[]) =>
  answer({
    object: 'list',
    data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: 'upstream-model',
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });

describe('M5: what is to be embedded is looked at and not copied', () => {
  it.each([
    ['token ids', [1, 2, 3], 0],
    ['lists of token ids', [[1], [2, 3]], 1],
  ])('of %s', (_, input, at) => {
    const { inputs } = readOpenAiEmbeddingRequest({ model: 'm', input });
    expect(inputs.kind === 'tokens' && inputs.lists[at]).toBe(at === 0 ? input : input[at]);
  });

  it('of parts, none of which is named', () => {
    const parts = [{ text: 'a' }, { text: null }, { text: 'b' }];
    const map = vi.spyOn(parts, 'map');
    expect(readEmbedContent({ content: { parts } }, 'm').inputs).toMatchObject({ kind: 'media' });
    expect(map).not.toHaveBeenCalled();
    const refuse = (part: unknown) => () => readEmbedContent({ content: { parts: [...parts, part] } }, 'm');
    expect(refuse(7)).toThrow(expect.objectContaining({ param: 'content.parts[3]' }));
    expect(refuse({ text: 7 })).toThrow(expect.objectContaining({ param: 'content.parts[3].text' }));
  });
});

describe('embeddings in the OpenAI dialect', () => {
  it('reach a channel of the same dialect byte for byte but for the model', () => {
    const sent = '{ "model":"slug", "input": "hi",  "odd": [1.0] }';
    const { bodies } = readOpenAiEmbeddings(Buffer.from(sent)).prepare(target);
    expect(bodies.map((body) => body.bytes.toString())).toEqual([sent.replace('slug', 'upstream-model')]);
  });

  it('go back untouched, with the usage they report', () => {
    const whole = answered([[0.5, -1]]);
    const reply = read({ model: 'slug', input: 'hi' }).prepare(target).readAnswer([whole]);
    expect(reply.bytes).toBe(whole.bytes);
    expect(reply.usage?.inputTokens).toBe(3);
  });

  it('are written as base64 for a client that asked for it and an upstream that did not know', () => {
    const exchange = read({ model: 'slug', input: ['a'], encoding_format: 'base64' });
    const { bytes } = exchange.prepare(target).readAnswer([answered([[0.5, -1]])]);
    const { data, model } = JSON.parse(bytes.toString());
    expect(decodeVector(data[0].embedding)).toEqual([0.5, -1]);
    expect(model).toBe('slug');
    expect(decodeVector(encodeVector([1, 2, 3]))).toEqual([1, 2, 3]);
  });

  it('are asked for in lots where the channel takes few at once, and joined in order', () => {
    const exchange = read({ model: 'slug', input: ['a', 'b', 'c'] });
    const asking = exchange.prepare({ ...target, traits: { maxInputs: 2 } });
    expect(asking.bodies.map((body) => JSON.parse(body.bytes.toString()).input)).toEqual([['a', 'b'], ['c']]);
    const { bytes, usage } = asking.readAnswer([answered([[1], [2]]), answered([[3]])]);
    const { data } = JSON.parse(bytes.toString());
    expect(data.map((item: { index: number; embedding: number[] }) => [item.index, item.embedding])).toEqual([
      [0, [1]],
      [1, [2]],
      [2, [3]],
    ]);
    expect(usage?.inputTokens).toBe(6);
  });

  it('M5: are put in the order of their numbers, whatever an upstream numbers them by', () => {
    const said = { data: [3e9, -1, 0.5].map((index) => ({ index, embedding: [index] })) };
    const asking = read({ model: 'slug', input: ['a', 'b', 'c'], encoding_format: 'base64' }).prepare(target);
    const { data } = JSON.parse(asking.readAnswer([answer(said)]).bytes.toString());
    expect(data.map((item: { embedding: string }) => decodeVector(item.embedding))).toEqual([
      [-1],
      [0.5],
      [3e9],
    ]);
  });

  it.each([
    ['input', { model: 'm' }],
    ['input', { model: 'm', input: [] }],
    ['input[1]', { model: 'm', input: ['a', ''] }],
    ['input[0][1]', { model: 'm', input: [[1, 'x']] }],
    ['model', { input: 'a' }],
    ['model', { model: '', input: 'a' }],
    ['dimensions', { model: 'm', input: 'a', dimensions: 0 }],
    ['dimensions', { model: 'm', input: 'a', dimensions: '3' }],
    ['encoding_format', { model: 'm', input: 'a', encoding_format: 'int8' }],
  ])('are refused by the name of the field: %s', (param, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it('bound tokens by bytes, and count token lists exactly', () => {
    expect(read({ model: 'm', input: 'héllo' }).bound.inputTokens).toBeGreaterThanOrEqual(6);
    expect(read({ model: 'm', input: [1, 2, 3] }).bound.inputTokens).toBe(3);
  });
});
