import { describe, expect, it } from 'vitest';
import { readTranscription } from '../audio/read-transcription.js';
import { findUpstreamProtocol, type ProtocolName } from '../chat/chat-protocols.js';
import { readOpenAiEmbeddings } from '../embeddings/read-embeddings.js';
import { readImageGeneration } from '../images/read-images.js';
import type { JsonObject } from '../json.js';
import { readRerank } from '../rerank/read-rerank.js';
import type { Exchange, ExchangeProtocol } from './exchange.js';

const MOST_VECTORS = 2_048;
const MOST_IMAGES = 128;
const MOST_PARTS = 1_000;
const MOST_TRANSCRIPT = 4 * 1024 * 1024;
const MOST_DETAILS = 1_000;

const json = (body: JsonObject) => Buffer.from(JSON.stringify({ model: 'm', ...body }));
const many = (count: number, item: JsonObject = {}): unknown[] => Array<unknown>(count).fill(item);

const recording = {
  bytes: Buffer.from('a'),
  filename: 'a.mp3',
  contentType: 'audio/mpeg',
  seconds: 7,
  measured: true,
};
const transcribe = (format: string) =>
  readTranscription(
    Object.entries({ model: 'm', response_format: format }).map(([name, text]) => ({
      name,
      bytes: Buffer.from(text),
    })),
    recording,
    'transcribe',
  );

const rerank = readRerank(json({ query: 'q', documents: ['a', 'b'] }));
const embed = readOpenAiEmbeddings(json({ input: 'q' }));
const draw = readImageGeneration(json({ prompt: 'q' }));

const ranked = (count: number) => many(count, { index: 0, relevance_score: 0.5 });
const vectors = (count: number) => many(count, { embedding: [1], values: [1] });
const parts = (count: number, part: JsonObject): JsonObject => ({
  candidates: [{ content: { parts: [...many(count - 1, part), part] } }],
});
const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

/** What each operation takes of each list that an upstream answers with. */
const LISTS: readonly (readonly [ExchangeProtocol, Exchange, number, (count: number) => JsonObject])[] = [
  ['jina-rerank', rerank, 2, (count) => ({ results: ranked(count) })],
  ['voyage-rerank', rerank, 2, (count) => ({ data: ranked(count) })],
  ['openai-embeddings', embed, MOST_VECTORS, (count) => ({ data: vectors(count) })],
  ['voyage-embeddings', embed, MOST_VECTORS, (count) => ({ data: vectors(count) })],
  [
    'cohere-embeddings',
    embed,
    MOST_VECTORS,
    (count) => ({ embeddings: { float: Array.from({ length: count }, () => [1]) } }),
  ],
  ['gemini-batch-embed', embed, MOST_VECTORS, (count) => ({ embeddings: vectors(count) })],
  ['openai-images', draw, MOST_IMAGES, (count) => ({ data: many(count, { url: 'https://a.example' }) })],
  [
    'imagen-images',
    draw,
    MOST_IMAGES,
    (count) => ({ predictions: many(count, { bytesBase64Encoded: 'AAAA' }) }),
  ],
  ['gemini-images', draw, MOST_PARTS - 1, (count) => parts(count, picture)],
  ['gemini-transcriptions', transcribe('json'), MOST_PARTS - 1, (count) => parts(count, { text: 'a' })],
];

function read(exchange: Exchange, protocol: ExchangeProtocol, parsed: JsonObject, bytes = Buffer.from('{}')) {
  const target = { protocol, model: 'm', channelType: 'some', traits: {}, dropped: { add: () => undefined } };
  return exchange.prepare(target).readAnswer([{ contentType: 'application/json', bytes, parsed }]);
}

describe('M5: answers of other operations hold no more than can be asked for', () => {
  it.each(LISTS)('%s', (protocol, exchange, most, write) => {
    expect(read(exchange, protocol, write(most)).contentType).toContain('json');
    expect(() => read(exchange, protocol, write(most + 1))).toThrow(/holds? more than|with more/);
  });

  it.each(['json', 'text'])('nor a transcript more than can be spoken: %s', (format) => {
    const long = (length: number) => {
      const text = 'a'.repeat(length);
      return read(transcribe(format), 'openai-transcriptions', { text }, Buffer.from(text));
    };
    expect(long(MOST_TRANSCRIPT).contentType).toContain('json');
    expect(() => long(MOST_TRANSCRIPT + 1)).toThrow(/longer than any/);
  });

  it('nor a vector more numbers than any model makes', () => {
    const vector = (length: number) => ({ embeddings: { float: [Array<number>(length).fill(1)] } });
    expect(read(embed, 'cohere-embeddings', vector(65_536)).bytes.length).toBeGreaterThan(65_536);
    expect(() => read(embed, 'cohere-embeddings', vector(65_537)).bytes).toThrow(/no vector/);
  });
});

describe('M5: usage is made up of no more than there can be', () => {
  it.each<[ProtocolName, (list: unknown[]) => JsonObject, JsonObject, JsonObject]>([
    [
      'anthropic-messages',
      (iterations) => ({ usage: { input_tokens: 1, output_tokens: 1, iterations } }),
      { type: 'compaction', input_tokens: 1, output_tokens: 0 },
      { inputTokens: MOST_DETAILS + 1 },
    ],
    [
      'gemini-generate',
      (promptTokensDetails) => ({ usageMetadata: { promptTokenCount: 1e6, promptTokensDetails } }),
      { modality: 'AUDIO', tokenCount: 1 },
      { audioInputTokens: MOST_DETAILS },
    ],
    [
      'bedrock-converse',
      (cacheDetails) => ({
        usage: { inputTokens: 1, outputTokens: 1, cacheWriteInputTokens: 1e6, cacheDetails },
      }),
      { ttl: '1h', inputTokens: 1 },
      { cacheWrite1hTokens: MOST_DETAILS },
    ],
  ])('%s', (name, write, detail, usage) => {
    const { readAnswerUsage } = findUpstreamProtocol(name);
    expect(readAnswerUsage(write(many(MOST_DETAILS, detail)))).toMatchObject(usage);
    expect(readAnswerUsage(write(many(MOST_DETAILS + 1, detail)))).toMatchObject(usage);
  });

  it('queries and containers, which have to differ', () => {
    const names = Array.from({ length: 3 * MOST_DETAILS }, (_, at) => `n${at}`);
    const output = names.map((id) => ({ type: 'code_interpreter_call', container_id: id }));
    const searched = { type: 'web_search_call', action: { type: 'search' } };
    expect(
      findUpstreamProtocol('openai-responses').readAnswerUsage({
        output: [...output, searched, { type: 'file_search_call' }, ...output],
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    ).toMatchObject({ codeSessions: MOST_DETAILS, webSearches: 1, fileSearches: 1 });
    expect(
      findUpstreamProtocol('gemini-generate').readAnswerUsage({
        candidates: [{ groundingMetadata: { webSearchQueries: names } }],
        usageMetadata: { promptTokenCount: 1 },
      }),
    ).toMatchObject({ webSearches: MOST_DETAILS });
  });
});
