import { JobState } from '@google/genai';
import { parseUsd } from '@mg/contract';
import { toFile } from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { createAnthropic } from '../clients/chat/anthropic.js';
import { createGoogle, downloadGoogle } from '../clients/chat/gemini.js';
import { ConsoleClient } from '../clients/console-client.js';
import { createOpenAi, HELLO } from '../clients/openai-client.js';
import {
  HALF_PRICE,
  NATIVELY_BATCHED,
  NATIVELY_EMBEDDED,
  NATIVELY_EMBEDDED_BY_GOOGLE,
  NATIVELY_GENERATED,
  NATIVELY_MESSAGED,
} from '../deployment/configuration.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';

const ENDED_WITHIN_MS = 60_000;

type Endpoint = '/v1/chat/completions' | '/v1/responses' | '/v1/embeddings';

interface ResultLine {
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: Record<string, unknown>;
  };
}

/** Batches whose lines go to the provider as a batch of its own. */
export function describeNativeBatches(get: () => Deployment): void {
  const client = () => createOpenAi(get(), KEYS.batches);

  async function run(endpoint: Endpoint, lines: readonly { readonly id: string; readonly body: object }[]) {
    const text = lines
      .map(({ id, body }) => `${JSON.stringify({ custom_id: id, method: 'POST', url: endpoint, body })}\n`)
      .join('');
    const file = await toFile(Buffer.from(text), 'in.jsonl');
    const { id: input_file_id } = await client().files.create({ file, purpose: 'batch' });
    const { id } = await client().batches.create({ input_file_id, endpoint, completion_window: '24h' });
    return waitUntil(
      'the end of a batch',
      async () => {
        const batch = await client().batches.retrieve(id);
        return /completed|failed|expired|cancelled/.test(batch.status) && batch;
      },
      ENDED_WITHIN_MS,
    );
  }

  async function read(fileId: string | null | undefined): Promise<ResultLine[]> {
    if (!fileId) return [];
    const text = await (await client().files.content(fileId)).text();
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ResultLine);
  }

  /** A message batch of one request, and what came of it. */
  async function runMessages() {
    const { batches } = createAnthropic(get(), KEYS.batches).messages;
    const params = {
      model: NATIVELY_MESSAGED,
      max_tokens: 20,
      messages: [{ role: 'user' as const, content: 'Hello there' }],
    };
    const { id } = await batches.create({ requests: [{ custom_id: 'one', params }] });
    await waitUntil(
      'the end of a message batch',
      async () => (await batches.retrieve(id)).processing_status === 'ended',
      ENDED_WITHIN_MS,
    );
    const results = [];
    for await (const result of await batches.results(id)) results.push(result);
    return results;
  }

  /** The same by Google's API. */
  async function runContents() {
    const { batches } = createGoogle(get(), KEYS.batches);
    const { name } = await batches.create({
      model: NATIVELY_GENERATED,
      src: [{ contents: 'Hello there', metadata: { key: 'one' } }],
    });
    return (await waitForGoogle(name))?.inlinedResponses;
  }

  /** Embeddings whose requests come in a file, and the file of results. */
  async function runEmbeddings() {
    const { batches, files } = createGoogle(get(), KEYS.batches);
    const lines = ['a river', 'a hill'].map((text, at) => {
      const request = { content: { parts: [{ text }] }, output_dimensionality: 8 };
      return `${JSON.stringify({ key: `line-${at}`, request })}\n`;
    });
    const file = await files.upload({ file: new Blob(lines), config: { mimeType: 'jsonl' } });
    const warn = vi.spyOn(globalThis.console, 'warn').mockReturnValue(undefined);
    const { name } = await batches.createEmbeddings({
      model: NATIVELY_EMBEDDED_BY_GOOGLE,
      src: { fileName: file.name ?? '' },
    });
    warn.mockRestore();
    const results = await downloadGoogle(get(), (await waitForGoogle(name))?.fileName, KEYS.batches);
    return results.map((line) => JSON.parse(line) as unknown);
  }

  async function waitForGoogle(name = '') {
    const { batches } = createGoogle(get(), KEYS.batches);
    const running = [JobState.JOB_STATE_PENDING, JobState.JOB_STATE_RUNNING];
    const batch = await waitUntil(
      "the end of a batch of Google's",
      async () => {
        const found = await batches.get({ name });
        return found.state !== undefined && !running.includes(found.state) && found;
      },
      ENDED_WITHIN_MS,
    );
    return batch.dest;
  }

  describe("lines of batches that are a provider's own batch", () => {
    it('are answered, charged at the batch share and logged as any others, and cost nothing where they fail', async () => {
      const { upstream } = get();
      const made = upstream.batches.made.length;
      const messagesMade = upstream.messageBatches.made.length;
      const contentsMade = upstream.googleBatches.made.length;
      const asked = upstream.calls.length;
      const chat = { model: NATIVELY_BATCHED, messages: HELLO };
      const [chats, responses, embeddings, messages, contents, vectors] = await Promise.all([
        run('/v1/chat/completions', [
          { id: 'one', body: chat },
          { id: 'two', body: { ...chat, max_tokens: 20 } },
          // The provider finds fault with this one.
          { id: 'wrong', body: { ...chat, stream_options: { include_usage: true } } },
          // This one has a channel that carries out no batches.
          { id: 'call', body: { ...chat, model: 'batched' } },
        ]),
        run('/v1/responses', [
          { id: 'one', body: { model: NATIVELY_BATCHED, input: 'Hello', store: false } },
        ]),
        run('/v1/embeddings', [{ id: 'one', body: { model: NATIVELY_EMBEDDED, input: 'Hello' } }]),
        runMessages(),
        runContents(),
        runEmbeddings(),
      ]);
      const output = await read(chats.output_file_id);
      expect(output.map(({ custom_id }) => custom_id)).toEqual(['one', 'two', 'call']);
      expect(output[0]?.response).toMatchObject({ status_code: 200, body: { object: 'chat.completion' } });
      expect(await read(chats.error_file_id)).toMatchObject([
        { custom_id: 'wrong', response: { status_code: 400, body: { error: { param: 'stream_options' } } } },
      ]);
      expect((await read(responses.output_file_id))[0]?.response.body).toMatchObject({ object: 'response' });
      expect((await read(embeddings.output_file_id))[0]?.response.body).toMatchObject({ object: 'list' });

      expect(messages).toMatchObject([
        { custom_id: 'one', result: { type: 'succeeded', message: { type: 'message', role: 'assistant' } } },
      ]);
      expect(upstream.messageBatches.made.slice(messagesMade).map(({ lines }) => lines.length)).toEqual([1]);

      expect(contents).toMatchObject([{ response: { candidates: [{}] }, metadata: { key: 'one' } }]);
      const ofGoogle = upstream.googleBatches.made.slice(contentsMade);
      expect(ofGoogle.map(({ method, lines }) => [method, lines.length]).toSorted()).toEqual([
        ['embedContent', 2],
        ['generateContent', 1],
      ]);
      expect(vectors).toMatchObject([
        { key: 'line-0', response: { embedding: { values: expect.any(Array) } } },
        { key: 'line-1', response: { embedding: { values: expect.any(Array) } } },
      ]);

      const theirs = upstream.batches.made.slice(made);
      expect(theirs.map(({ endpoint, lines }) => [endpoint, lines.length]).toSorted()).toEqual([
        ['/v1/chat/completions', 3],
        ['/v1/embeddings', 1],
        ['/v1/responses', 1],
      ]);

      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('batches');
      const ids = new Set(output.map(({ response }) => response.request_id));
      const charges = await waitUntil('the charges', async () => {
        const entries = (await console.listEntries(wallet.id)).filter(({ request_id }) =>
          ids.has(request_id ?? ''),
        );
        return entries.length >= ids.size && entries.map(({ amount }) => -parseUsd(amount));
      });
      const billed = upstream.calls
        .slice(asked)
        .filter(({ path, status }) => path.endsWith('/chat/completions') && status === 200);
      expect(charges.toSorted()).toEqual(billed.map((call) => expectedCost(call, HALF_PRICE)).toSorted());
      const row = await waitUntil('the row in the log', () =>
        console.findLog(output[0]?.response.request_id ?? ''),
      );
      expect(row).toMatchObject({ usage: { tier: 'batch' }, channel: 'native-batches', reason: 'completed' });
    });
  });
}
