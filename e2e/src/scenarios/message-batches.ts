import { APIError } from '@anthropic-ai/sdk';
import { createGate } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { createAnthropic } from '../clients/chat/anthropic.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

/** More than all workers of any deployment have in progress of one wallet. */
const MANY = 64;

/** Anthropic's message batches through the official SDK. */
export function describeMessageBatches(get: () => Deployment): void {
  const batches = (apiKey: string = KEYS.main) => createAnthropic(get(), apiKey).messages.batches;
  const ask = (custom_id: string, changes: object = {}) => ({
    custom_id,
    params: {
      model: 'batched',
      max_tokens: 20,
      messages: [{ role: 'user' as const, content: 'Hello there' }],
      ...changes,
    },
  });
  const waitForEnd = (id: string) =>
    waitUntil('the end of a message batch', async () => {
      const batch = await batches().retrieve(id);
      return batch.processing_status === 'ended' && batch;
    });
  async function readResults(id: string) {
    const results = [];
    for await (const result of await batches().results(id)) results.push(result);
    return results;
  }
  const statusOf = async (call: Promise<unknown>) => {
    const error: unknown = await call.catch((caught: unknown) => caught);
    return error instanceof APIError ? (error.status as number) : undefined;
  };

  describe("Anthropic's message batches", () => {
    it('are made, read as results one by one, and deleted', async () => {
      const made = await batches().create({
        requests: [ask('one'), ask('bad', { model: 'nowhere' }), ask('two')],
      });
      expect(made).toMatchObject({
        type: 'message_batch',
        processing_status: 'in_progress',
        results_url: null,
      });
      const done = await waitForEnd(made.id);
      expect(done.request_counts).toEqual({
        processing: 0,
        succeeded: 2,
        errored: 1,
        canceled: 0,
        expired: 0,
      });
      expect(await readResults(made.id)).toMatchObject([
        { custom_id: 'one', result: { type: 'succeeded', message: { type: 'message', role: 'assistant' } } },
        {
          custom_id: 'bad',
          result: { type: 'errored', error: { type: 'error', error: { type: 'not_found_error' } } },
        },
        { custom_id: 'two', result: { type: 'succeeded' } },
      ]);
      const stranger = batches(KEYS.batches);
      expect(await statusOf(stranger.retrieve(made.id))).toBe(404);
      expect(await statusOf(stranger.results(made.id))).toBe(404);
      expect(await statusOf(stranger.cancel(made.id))).toBe(404);
      expect(await statusOf(stranger.delete(made.id))).toBe(404);
      expect((await batches().list({ limit: 1 })).data.map(({ id }) => id)).toEqual([made.id]);
      expect(await batches().delete(made.id)).toMatchObject({ id: made.id, type: 'message_batch_deleted' });
      expect(await statusOf(batches().retrieve(made.id))).toBe(404);
    });

    it('that are cancelled say of each request whether it was made', async () => {
      const gate = createGate();
      const calls = get().upstream.calls.length;
      get().upstream.script('batched', { wait: gate.wait });
      const made = await batches().create({
        requests: Array.from({ length: MANY }, (_, at) => ask(`line-${at}`)),
      });
      await get().upstream.waitForCall(() => get().upstream.calls.length > calls);
      expect((await batches().cancel(made.id)).processing_status).toBe('canceling');
      expect(await statusOf(batches().delete(made.id))).toBe(409);
      gate.open();
      const { request_counts: counts } = await waitForEnd(made.id);
      get().upstream.script('batched', {});
      expect(counts.succeeded + counts.canceled).toBe(MANY);
      expect(Math.min(counts.succeeded, counts.canceled)).toBeGreaterThan(0);
      const results = await readResults(made.id);
      expect(results.filter(({ result }) => result.type === 'canceled')).toHaveLength(counts.canceled);
      expect(new Set(results.map(({ custom_id }) => custom_id)).size).toBe(MANY);
    });

    it('have the betas of the call that created them sent with each request', async () => {
      const { id } = await createAnthropic(get(), KEYS.main).beta.messages.batches.create({
        betas: ['interleaved-thinking-2025-05-14', 'effort-2025-11-24'],
        requests: [ask('one', { model: 'over-anthropic-plain' })],
      });
      await waitForEnd(id);
      const { headers } = get().upstream.calls.at(-1) ?? {};
      expect(headers?.['anthropic-beta']).toBe('interleaved-thinking-2025-05-14,effort-2025-11-24');
      expect(headers?.['anthropic-version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    });

    it('name files that were uploaded, as calls do', async () => {
      const client = createAnthropic(get(), KEYS.main).beta;
      const betas = ['files-api-2025-04-14'];
      const { id: file_id } = await client.files.upload({
        file: new File(['A text of a file.'], 'a.txt', { type: 'text/plain' }),
        betas,
      });
      const params = {
        model: 'over-anthropic-plain',
        max_tokens: 20,
        messages: [
          {
            role: 'user' as const,
            content: [{ type: 'document' as const, source: { type: 'file' as const, file_id } }],
          },
        ],
      };
      const whatArrived = () => JSON.stringify(get().upstream.calls.at(-1)?.body);
      await client.messages.create({ ...params, betas });
      expect(whatArrived()).toContain('A text of a file.');
      const { id } = await client.messages.batches.create({
        betas,
        requests: [{ custom_id: 'one', params }],
      });
      await waitForEnd(id);
      expect(whatArrived()).toContain('A text of a file.');
      expect((await client.files.list()).data.map((file) => file.id)).toContain(file_id);
      await client.files.delete(file_id);
      expect(await statusOf(client.messages.create({ ...params, betas }))).toBe(404);
    });

    it('are refused by the name of the field', async () => {
      const twice = batches().create({ requests: [ask('one'), ask('one')] });
      const error: unknown = await twice.catch((caught: unknown) => caught);
      expect(error).toMatchObject({ status: 400, message: expect.stringContaining('requests[1].custom_id') });
    });
  });
}
