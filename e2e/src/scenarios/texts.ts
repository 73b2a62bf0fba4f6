import { formatUsd, parseUsd } from '@mg/contract';
import { GoogleGenAI } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { catchApiError, createOpenAi } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { EMBEDDING_PRICE } from '../deployment/texts.js';
import { waitUntil } from '../wait-until.js';

/** Embeddings, reranking and moderation: by official SDKs where there are any, over channels of several dialects. */
export function describeTexts(get: () => Deployment): void {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(get(), path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const lastCall = () => get().upstream.calls.at(-1);

  describe('embeddings', () => {
    it('come through the official SDK, which asks for base64, from an upstream that knows only numbers', async () => {
      const { data, response } = await createOpenAi(get())
        .embeddings.create({ model: 'embed-openai', input: ['a', 'b'] })
        .withResponse();
      expect(data.data.map((item) => [item.index, item.embedding])).toEqual([
        [0, [97, 48.5, -1]],
        [1, [98, 49, -1]],
      ]);
      const tokens = BigInt(lastCall()?.promptTokens ?? 0);
      const exact = tokens * parseUsd(EMBEDDING_PRICE.input_per_million);
      expect(response.headers.get('x-gateway-cost')).toBe(formatUsd((exact + 999_999n) / 1_000_000n));
    });

    it('take token ids to a channel of the same tokenizer, and refuse them for any other', async () => {
      const client = createOpenAi(get());
      const { data } = await client.embeddings.create({ model: 'embed-openai', input: [[1, 2], [3]] });
      expect(data).toHaveLength(2);
      const error = await catchApiError(client.embeddings.create({ model: 'embed-gemini', input: [1, 2] }));
      expect(error).toMatchObject({ status: 400, param: 'input' });
    });

    it('reach Gemini and Cohere, estimated where the upstream reports no usage', async () => {
      const client = createOpenAi(get());
      const { data, response } = await client.embeddings
        .create({ model: 'embed-gemini', input: 'a river', dimensions: 3 })
        .withResponse();
      const [first] = data.data;
      expect(Math.hypot(...(first?.embedding ?? []))).toBeCloseTo(1, 5);
      const console = await ConsoleClient.asAdmin(get());
      const requestId = response.headers.get('x-request-id') ?? '';
      const log = await waitUntil('the log', () => console.findLog(requestId));
      expect(log).toMatchObject({ estimated: true, endpoint: '/v1/embeddings', usage: { input_tokens: 2 } });
      const cohere = await client.embeddings.create({ model: 'embed-cohere', input: 'a river' });
      expect(cohere.usage.prompt_tokens).toBe(2);
      expect(lastCall()?.body).toMatchObject({ input_type: 'search_document', texts: ['a river'] });
    });

    it('come through the SDK of Google from its own and from another dialect', async () => {
      const client = new GoogleGenAI({
        apiKey: KEYS.main,
        httpOptions: { baseUrl: get().gatewayUrl, timeout: 20_000 },
      });
      for (const model of ['embed-gemini', 'embed-openai']) {
        const { embeddings } = await client.models.embedContent({
          model,
          contents: ['a', 'b'],
          config: { taskType: 'CLUSTERING' },
        });
        expect(embeddings?.map((item) => item.values?.length)).toEqual([3, 3]);
      }
      const single = await post('/v1beta/models/embed-gemini:embedContent', {
        content: { parts: [{ text: 'a' }] },
      });
      expect(JSON.parse(single.text)).toMatchObject({ embedding: { values: expect.any(Array) } });
    });

    it('are refused by name, and cost nothing when the upstream fails', async () => {
      const cases = [
        [{ model: 'embed-openai' }, 400, 'input'],
        [{ model: 'embed-openai', input: [] }, 400, 'input'],
        [{ model: 'embed-openai', input: 'a', dimensions: -1 }, 400, 'dimensions'],
        [{ model: 'plain', input: 'a' }, 404, 'model'],
        [{ model: 'nothing', input: 'a' }, 404, 'model'],
      ] as const;
      for (const [body, status, param] of cases) {
        const answer = await post('/v1/embeddings', body);
        expect([answer.status, answer.failure.detail.param]).toEqual([status, param]);
      }
      const failed = await post('/v1/embeddings', { model: 'embed-failing', input: 'a' });
      expect([failed.status, failed.failure.detail.code]).toEqual([502, 'upstream_error']);
    });

    it('are answered once for one Idempotency-Key', async () => {
      const headers = { 'idempotency-key': `embed-${Date.now()}` };
      const body = { model: 'embed-openai', input: 'once' };
      const first = await post('/v1/embeddings', body, headers);
      const calls = get().upstream.calls.length;
      const second = await post('/v1/embeddings', body, headers);
      expect(second.text).toBe(first.text);
      expect(get().upstream.calls).toHaveLength(calls);
      const other = await post('/v1/embeddings', { ...body, input: 'twice' }, headers);
      expect(other.status).toBe(409);
    });
  });

  describe('reranking and moderation', () => {
    it('puts documents in order over channels of two dialects', async () => {
      for (const model of ['rank-jina', 'rank-cohere', 'sandbox-rerank']) {
        const body = { model, query: 'river', documents: ['a hill', 'a river'], top_n: 2 };
        const answer = await post('/v1/rerank', body);
        expect(answer.status).toBe(200);
        expect(JSON.parse(answer.text)).toMatchObject({ results: [{ index: 1 }, { index: 0 }] });
        expect(Number(answer.headers.get('x-gateway-cost'))).toBeGreaterThan(0);
      }
    });

    it('judges texts through the official SDK, free of charge where the price says so', async () => {
      const client = createOpenAi(get());
      const { data, response } = await client.moderations
        .create({ model: 'moderate', input: 'hello' })
        .withResponse();
      expect(data.results).toHaveLength(1);
      expect(response.headers.get('x-gateway-cost')).toBe('0');
      const sandbox = await client.moderations.create({
        model: 'sandbox-moderation',
        input: ['peace', 'violence'],
      });
      expect(sandbox.results.map((result) => result.flagged)).toEqual([false, true]);
    });

    it('offers embeddings without any provider', async () => {
      const { data } = await createOpenAi(get()).embeddings.create({
        model: 'sandbox-embedding',
        input: ['the old mill', 'the new mill', 'breakfast'],
        dimensions: 64,
      });
      const [a = [], b = [], c = []] = data.map((item) => item.embedding);
      const alike = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
      expect(a).toHaveLength(64);
      expect(alike(a, b)).toBeGreaterThan(alike(a, c));
    });
  });
}
