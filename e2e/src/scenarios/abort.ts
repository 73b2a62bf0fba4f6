import { watchSlowness } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { ConsoleClient, type LogRow } from '../clients/console-client.js';
import { createOpenAi, HELLO } from '../clients/openai-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

const CHUNKS_READ = 6;

/** Where an overloaded machine leaves the gateway's tokenizer no time, so many bytes are taken for a token. */
const BYTES_PER_TOKEN = 3;

/** Chunks without a token before those that have one each. */
const OPENING_CHUNKS = 1;

/** A caller who leaves pays for what was produced until then, and the upstream is told to stop. */
export function describeAbort(get: () => Deployment): void {
  describe('an aborted stream', () => {
    it('closes the upstream and is charged for what it produced', async () => {
      const readSlowness = watchSlowness();
      const { data, response } = await createOpenAi(get())
        .chat.completions.create({ model: 'endless', messages: HELLO, stream: true })
        .withResponse();
      let read = 0;
      for await (const _ of data) {
        read += 1;
        if (read === CHUNKS_READ) break;
      }
      data.controller.abort();
      const call = await get().upstream.waitForCall((seen) => seen.model === 'endless' && seen.aborted);
      expect(call.completionTokens).toBeLessThan(100);

      const console = await ConsoleClient.asAdmin(get());
      const requestId = response.headers.get('x-request-id') ?? '';
      const log = await waitUntil('the log', () => console.findLog(requestId));
      expect(log).toMatchObject({ estimated: true, stream: true });
      const estimate = Math.ceil(Buffer.byteLength(call.producedText) / BYTES_PER_TOKEN);
      const most = readSlowness() > 1 ? Math.max(call.completionTokens, estimate) : call.completionTokens;
      expect(log.usage.output_tokens).toBeLessThanOrEqual(most);
      expect(log.usage.output_tokens).toBeGreaterThanOrEqual(read - OPENING_CHUNKS);
      expect(Math.abs(log.usage.input_tokens - call.promptTokens)).toBeLessThan(16);
      const wallet = await console.findWallet('main');
      const entries = await waitUntil('the charge', async () => {
        const rows = await console.listEntries(wallet.id);
        const charges = rows.filter((entry) => entry.request_id === requestId);
        return charges.length > 0 && charges;
      });
      expect(entries.map((entry) => entry.amount)).toEqual([`-${log.cost}`]);
    });

    it('before its first byte closes the upstream and is charged for no answer', async () => {
      const controller = new AbortController();
      const { upstream } = get();
      const count = upstream.calls.length;
      const pending = createOpenAi(get()).chat.completions.create(
        { model: 'hang-before-headers', messages: HELLO, stream: true },
        { signal: controller.signal },
      );
      await upstream.waitForCall(() => upstream.calls.length > count);
      controller.abort();
      await expect(pending).rejects.toThrow(/abort/i);
      const call = upstream.calls.at(-1);
      await upstream.waitForCall((seen) => seen === call && seen.aborted, 1_500);
      const console = await ConsoleClient.asAdmin(get());
      const log = await waitUntil('the log', async () => {
        const rows = await console.list<LogRow>('/logs?model=hang-before-headers');
        return rows.find((row) => row.reason === 'client_aborted');
      });
      expect(log).toMatchObject({ stream: true, usage: { output_tokens: 0 } });
    });
  });
}
