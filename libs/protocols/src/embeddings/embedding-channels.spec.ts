import { describe, expect, it } from 'vitest';
import type { Exchange, ExchangeProtocol, ExchangeTarget, UpstreamAnswer } from '../exchange/exchange.js';
import { readGeminiEmbedding, readGeminiEmbeddings, readOpenAiEmbeddings } from './read-embeddings.js';

const dropped = new Set<string>();

function target(protocol: ExchangeProtocol): ExchangeTarget {
  dropped.clear();
  return {
    protocol,
    model: 'upstream-model',
    channelType: 'some-type',
    traits: {},
    dropped: { add: (field) => dropped.add(field) },
  };
}

function toBuffer(body: unknown): Buffer {
  return Buffer.from(JSON.stringify(body));
}

function answer(parsed: Record<string, unknown>): UpstreamAnswer {
  return { contentType: 'application/json', bytes: toBuffer(parsed), parsed };
}

function ask(exchange: Exchange, protocol: ExchangeProtocol): unknown[] {
  return exchange.prepare(target(protocol)).bodies.map((body) => JSON.parse(body.bytes.toString()));
}

function read(exchange: Exchange, protocol: ExchangeProtocol, ...answers: Record<string, unknown>[]) {
  const { bytes, usage } = exchange.prepare(target(protocol)).readAnswer(answers.map(answer));
  return { body: JSON.parse(bytes.toString()), tokens: usage?.inputTokens };
}

const openAi = (extra: object = {}) =>
  readOpenAiEmbeddings(toBuffer({ model: 'slug', input: ['a', 'b'], dimensions: 2, user: 'me', ...extra }));

const gemini = (taskType: string, second = taskType) =>
  readGeminiEmbeddings(
    toBuffer({
      requests: ['a', 'b'].map((text, index) => ({
        model: 'models/slug',
        content: { parts: [{ text }] },
        taskType: index === 0 ? taskType : second,
        outputDimensionality: 2,
      })),
    }),
    'slug',
  );

describe('embeddings over channels of other dialects', () => {
  it('reach Gemini as one batch, and come back at unit length', () => {
    expect(ask(openAi(), 'gemini-batch-embed')).toEqual([
      {
        requests: ['a', 'b'].map((text) => ({
          model: 'models/upstream-model',
          content: { parts: [{ text }] },
          outputDimensionality: 2,
        })),
      },
    ]);
    expect([...dropped]).toEqual(['user']);
    const reply = { embeddings: [{ values: [3, 4] }, { values: [0, 2] }] };
    const { body, tokens } = read(openAi(), 'gemini-batch-embed', reply);
    expect(body.data.map((item: { embedding: number[] }) => item.embedding)).toEqual([
      [0.6, 0.8],
      [0, 1],
    ]);
    expect(tokens).toBeUndefined();
  });

  it('go out without what they are for where the texts of one batch differ in it', () => {
    const mixed = () => gemini('RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT');
    const [asked] = ask(mixed(), 'openai-embeddings');
    expect(asked).toMatchObject({ input: ['a', 'b'], dimensions: 2 });
    expect([...dropped]).toEqual(['taskType']);
    expect(ask(mixed(), 'cohere-embeddings')).toMatchObject([{ input_type: 'search_document' }]);
    expect([...dropped]).toEqual(['taskType']);
    const own = mixed().prepare(target('gemini-batch-embed')).bodies[0]?.bytes.toString() ?? '';
    expect(own).toContain('RETRIEVAL_QUERY');
    expect(own).toContain('RETRIEVAL_DOCUMENT');
  });

  it('are split at a hundred texts for Gemini', () => {
    const exchange = openAi({ input: Array.from({ length: 101 }, String) });
    expect(exchange.prepare(target('gemini-batch-embed')).bodies).toHaveLength(2);
  });

  it('reach Cohere with a type of input, and are billed by what it bills', () => {
    expect(ask(openAi(), 'cohere-embeddings')).toEqual([
      {
        model: 'upstream-model',
        texts: ['a', 'b'],
        input_type: 'search_document',
        embedding_types: ['float'],
        output_dimension: 2,
      },
    ]);
    expect(ask(gemini('RETRIEVAL_QUERY'), 'cohere-embeddings')).toMatchObject([
      { input_type: 'search_query' },
    ]);
    const reply = {
      embeddings: {
        float: [
          [1, 0],
          [0, 1],
        ],
      },
      meta: { billed_units: { input_tokens: 4 } },
    };
    const { body, tokens } = read(openAi(), 'cohere-embeddings', reply);
    expect(body).toMatchObject({
      data: [{ embedding: [1, 0] }, { embedding: [0, 1] }],
      usage: { total_tokens: 4 },
    });
    expect(tokens).toBe(4);
  });

  it('reach Jina and Voyage in their words', () => {
    expect(ask(gemini('CLUSTERING'), 'jina-embeddings')).toEqual([
      {
        model: 'upstream-model',
        input: ['a', 'b'],
        task: 'separation',
        dimensions: 2,
        embedding_type: 'float',
      },
    ]);
    expect(ask(gemini('RETRIEVAL_DOCUMENT'), 'voyage-embeddings')).toEqual([
      { model: 'upstream-model', input: ['a', 'b'], input_type: 'document', output_dimension: 2 },
    ]);
    ask(gemini('CLUSTERING'), 'voyage-embeddings');
    expect([...dropped]).toEqual(['taskType']);
  });

  it('come from Gemini clients to a channel in the OpenAI manner and back', () => {
    expect(ask(gemini('CLUSTERING'), 'openai-embeddings')).toEqual([
      { model: 'upstream-model', input: ['a', 'b'], encoding_format: 'float', dimensions: 2 },
    ]);
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ];
    const { body, tokens } = read(gemini('CLUSTERING'), 'openai-embeddings', {
      data,
      usage: { prompt_tokens: 2, total_tokens: 2 },
    });
    expect(body).toEqual({ embeddings: [{ values: [1, 0] }, { values: [0, 1] }] });
    expect(tokens).toBe(2);
  });

  it('keep what only Gemini knows on the way to Gemini, under the name of the upstream', () => {
    const sent = {
      model: 'models/slug',
      content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      title: 'T',
    };
    const exchange = readGeminiEmbedding(toBuffer(sent), 'slug');
    expect(ask(exchange, 'gemini-embed')).toEqual([{ ...sent, model: 'models/upstream-model' }]);
    expect(() => ask(exchange, 'openai-embeddings')).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'content.parts' }),
    );
  });

  it('H4: hold as much for media as the model reads of one content, whatever their bytes', () => {
    const content = { parts: [{ text: 'a' }, { inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }] };
    expect(readGeminiEmbedding(toBuffer({ content }), 'slug').bound.inputTokens).toBe(8_192);
    const requests = [{ content }, { content: { parts: [{ text: 'four' }] } }];
    expect(readGeminiEmbeddings(toBuffer({ requests }), 'slug').bound.inputTokens).toBe(8_196);
  });

  it.each([
    [{ usageMetadata: { promptTokenCount: 258 } }, 258],
    // As it is in batches.
    [{ tokenCount: '17' }, 17],
    [{ tokenCount: '1e9' }, undefined],
  ])('are billed by the tokens that Gemini reports: %j', (reported, tokens) => {
    const exchange = readGeminiEmbedding(toBuffer({ content: { parts: [{ text: 'a' }] } }), 'slug');
    expect(read(exchange, 'gemini-embed', { embedding: { values: [1] }, ...reported }).tokens).toBe(tokens);
  });

  it('of token ids are refused where the tokenizer is another', () => {
    const exchange = openAi({ input: [1, 2] });
    for (const protocol of [
      'gemini-batch-embed',
      'cohere-embeddings',
      'jina-embeddings',
      'voyage-embeddings',
    ] as const) {
      expect(() => ask(exchange, protocol)).toThrow(expect.objectContaining({ param: 'input' }));
    }
  });

  it.each([
    ['requests', {}],
    ['requests', { requests: [] }],
    // C1: no more of them than of inputs; each is a vector to be read and written.
    [
      'requests',
      { requests: Array.from({ length: 2_049 }, () => ({ content: { parts: [{ text: 'a' }] } })) },
    ],
    ['requests[0].content', { requests: [{}] }],
    ['requests[0].content.parts', { requests: [{ content: { parts: [] } }] }],
    ['requests[0].content.parts[0].text', { requests: [{ content: { parts: [{ text: 1 }] } }] }],
    ['requests[0].taskType', { requests: [{ content: { parts: [{ text: 'a' }] }, taskType: 'DREAMING' }] }],
    [
      'requests[1].outputDimensionality',
      {
        requests: [
          { content: { parts: [{ text: 'a' }] }, outputDimensionality: 2 },
          { content: { parts: [{ text: 'a' }] }, outputDimensionality: 3 },
        ],
      },
    ],
  ])('of Gemini clients are refused by the name of the field: %s', (param, body) => {
    expect(() => readGeminiEmbeddings(toBuffer(body), 'slug')).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }),
    );
  });

  it('of Gemini clients hold as much text in contents of several parts as is joined in one step', () => {
    const text = 'a'.repeat(1024 * 1024);
    const write = (...lengths: number[]) => {
      const requests = lengths.map((length) => ({
        content: { parts: Array.from({ length }, () => ({ text })) },
      }));
      return readGeminiEmbeddings(toBuffer({ requests }), 'slug').promptTexts;
    };
    expect(write(3, 1, 1)).toEqual([[text, text, text].join('\n'), text, text]);
    expect(() => write(2, 2)).toThrow(
      'requests[1].content makes the contents of several parts longer than 3145728 characters.',
    );
  });

  it('fail as a fault of the upstream when its answer holds no vectors', () => {
    for (const protocol of ['openai-embeddings', 'gemini-batch-embed', 'cohere-embeddings'] as const) {
      expect(() => read(openAi(), protocol, { data: 'nothing' })).toThrow(
        expect.objectContaining({ code: 'upstream_error' }),
      );
    }
  });

  it.each([{}, { embedding: {} }, { embeddings: [{}] }])(
    'fail as a fault of the upstream where their bytes would be passed on as they are: %j',
    (answer) => {
      const protocol = 'embeddings' in answer ? 'gemini-batch-embed' : 'gemini-embed';
      const asked = { content: { parts: [{ text: 'a' }] } };
      const body = 'embeddings' in answer ? { requests: [asked] } : asked;
      const readRequest = 'embeddings' in answer ? readGeminiEmbeddings : readGeminiEmbedding;
      expect(() => read(readRequest(toBuffer(body), 'slug'), protocol, answer)).toThrow(
        expect.objectContaining({ code: 'upstream_error' }),
      );
    },
  );
});
