import { type NanoUsd, parseUsd } from '@mg/contract';
import { createGate } from '@mg/testkit';
import OpenAI, { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { catchApiError, createOpenAi, HELLO } from '../clients/openai-client.js';
import { HALF_PRICE } from '../deployment/configuration.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment, DeploymentKind } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';

const CHAT = '/v1/chat/completions';
/** Claims of a worker that was killed stand for half a minute. */
const TAKEN_OVER_MS = 90_000;
/** More than all workers of any deployment have in progress of one wallet. */
const MANY = 64;

interface ResultLine {
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly request_id: string;
    readonly body: OpenAI.Chat.ChatCompletion;
  } | null;
  readonly error: { readonly code: string } | null;
}

/** Batches through the official SDK. */
export function describeBatches(get: () => Deployment, kind: DeploymentKind): void {
  const client = (key: string = KEYS.batches) => createOpenAi(get(), key);

  async function create(lines: readonly object[], key?: string) {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const file = await client(key).files.create({
      file: await toFile(Buffer.from(text), 'in.jsonl'),
      purpose: 'batch',
    });
    return client(key).batches.create({
      input_file_id: file.id,
      endpoint: CHAT,
      completion_window: '24h',
      metadata: { for: 'tests' },
    });
  }

  const ask = (customId: string, body: object = {}) => ({
    custom_id: customId,
    method: 'POST',
    url: CHAT,
    body: { model: 'batched', messages: HELLO, ...body },
  });
  const askMany = (count: number, body: object = {}) =>
    Array.from({ length: count }, (_, at) => ask(`line-${at + 1}`, body));

  const waitForEnd = (id: string, key?: string, timeoutMs?: number) =>
    waitUntil(
      'the end of a batch',
      async () => {
        const batch = await client(key).batches.retrieve(id);
        return /completed|failed|expired|cancelled/.test(batch.status) && batch;
      },
      timeoutMs,
    );

  async function read(fileId: string | null | undefined, key?: string): Promise<ResultLine[]> {
    if (!fileId) return [];
    const text = await (await client(key).files.content(fileId)).text();
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ResultLine);
  }

  const names = (lines: readonly ResultLine[]) => lines.map((line) => line.custom_id);

  /** What the ledger has charged for some calls, once all of them are posted. */
  async function readCharges(lines: readonly ResultLine[]): Promise<NanoUsd[]> {
    const console = await ConsoleClient.asAdmin(get());
    const wallet = await console.findWallet('batches');
    const ids = new Set(lines.map((line) => line.response?.request_id));
    return waitUntil('the charges', async () => {
      const entries = await console.listEntries(wallet.id);
      const own = entries.filter((entry) => ids.has(entry.request_id ?? ''));
      return own.length >= lines.length && own.map((entry) => -parseUsd(entry.amount));
    });
  }

  describe("OpenAI's batches", () => {
    it('are made at the batch share of the price, exactly, and say which line failed', async () => {
      const calls = get().upstream.calls.length;
      const made = await create([ask('one'), ask('bad', { model: 'nowhere' }), ask('two')]);
      expect(made).toMatchObject({
        object: 'batch',
        endpoint: CHAT,
        metadata: { for: 'tests' },
        errors: null,
      });
      const done = await waitForEnd(made.id);
      expect(done).toMatchObject({
        status: 'completed',
        request_counts: { total: 3, completed: 2, failed: 1 },
        completed_at: expect.any(Number),
      });
      const output = await read(done.output_file_id);
      expect(names(output)).toEqual(['one', 'two']);
      expect(output[0]?.response).toMatchObject({ status_code: 200, body: { object: 'chat.completion' } });
      const errors = await read(done.error_file_id);
      expect(errors).toMatchObject([
        { custom_id: 'bad', response: { status_code: 404, body: { error: { code: 'model_not_found' } } } },
      ]);
      const asked = get()
        .upstream.calls.slice(calls)
        .filter((call) => call.model === 'batched');
      const wanted = asked.map((call) => expectedCost(call, HALF_PRICE));
      expect((await readCharges(output)).toSorted()).toEqual(wanted.toSorted());
      const console = await ConsoleClient.asAdmin(get());
      const row = await waitUntil('the row in the log', () =>
        console.findLog(output[0]?.response?.request_id ?? ''),
      );
      expect(row).toMatchObject({ usage: { tier: 'batch' }, token_name: 'batches' });
    });

    it('are listed, and not there for another wallet', async () => {
      const [first, second] = [await create([ask('one')]), await create([ask('one')])];
      const page = await client().batches.list({ limit: 1 });
      expect(page.data.map(({ id }) => id)).toEqual([second.id]);
      expect((await page.getNextPage()).data.map(({ id }) => id)).toEqual([first.id]);
      const done = await waitForEnd(second.id);
      const stranger = client(KEYS.main);
      const lookAt = [
        () => stranger.batches.retrieve(second.id),
        () => stranger.batches.cancel(second.id),
        () => stranger.files.retrieve(done.output_file_id ?? ''),
        () => stranger.files.content(done.output_file_id ?? ''),
        () => stranger.files.delete(done.output_file_id ?? ''),
      ];
      for (const look of lookAt) expect((await catchApiError(look())).status).toBe(404);
      const foreign = stranger.batches.create({
        input_file_id: second.input_file_id,
        endpoint: CHAT,
        completion_window: '24h',
      });
      expect(await catchApiError(foreign)).toMatchObject({ status: 400, param: 'input_file_id' });
      expect((await catchApiError(client().batches.cancel(second.id))).status).toBe(409);
    });

    it('whose file is wrong fail as a whole, with the lines that are', async () => {
      const calls = get().upstream.calls.length;
      const made = await create([ask('one'), { ...ask('two'), url: '/v1/embeddings' }, ask('one')]);
      const done = await waitForEnd(made.id);
      expect(done).toMatchObject({ status: 'failed', output_file_id: null });
      expect(done.errors?.data).toMatchObject([
        { code: 'mismatched_endpoint', line: 2, param: 'url' },
        { code: 'duplicate_custom_id', line: 3, param: 'custom_id' },
      ]);
      expect(get().upstream.calls).toHaveLength(calls);
    });

    it('that are cancelled keep what was made, and say of the rest that it was not', async () => {
      const gate = createGate();
      const calls = get().upstream.calls.length;
      get().upstream.script('batched', ...waitAtEach(gate.wait));
      const made = await create(askMany(MANY));
      await get().upstream.waitForCall(() => get().upstream.calls.length > calls);
      expect((await client().batches.cancel(made.id)).status).toBe('cancelling');
      gate.open();
      const done = await waitForEnd(made.id);
      get().upstream.script('batched', {});
      expect(done).toMatchObject({ status: 'cancelled', request_counts: { total: MANY } });
      const [output, errors] = [await read(done.output_file_id), await read(done.error_file_id)];
      expect(output.length).toBeGreaterThan(0);
      expect(errors.length).toBeGreaterThan(0);
      expect([...names(output), ...names(errors)].toSorted()).toEqual(
        names(askMany(MANY) as never).toSorted(),
      );
      expect(new Set(errors.map(({ error }) => error?.code))).toEqual(new Set(['batch_cancelled']));
      expect(await readCharges(output)).toHaveLength(output.length);
    });

    it('of a wallet that runs dry end each line that it cannot pay with its error', async () => {
      const made = await create(askMany(5, { model: 'flat' }), KEYS.dryBatches);
      const done = await waitForEnd(made.id, KEYS.dryBatches);
      expect(done).toMatchObject({
        status: 'completed',
        request_counts: { total: 5, completed: 3, failed: 2 },
      });
      expect(await read(done.output_file_id, KEYS.dryBatches)).toHaveLength(3);
      expect(await read(done.error_file_id, KEYS.dryBatches)).toMatchObject(
        Array.from({ length: 2 }, () => ({
          response: { status_code: 402, body: { error: { code: 'insufficient_balance' } } },
        })),
      );
    });

    /** Every charge of the wallet belongs to a line of an output file. */
    async function expectNoOtherCharge(atLeast: number): Promise<void> {
      const batches: ResultLine[] = [];
      for await (const batch of client().batches.list()) {
        if (batch.status !== 'failed')
          batches.push(...(await read((await waitForEnd(batch.id)).output_file_id)));
      }
      const known = new Set(batches.map(({ response }) => response?.request_id));
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('batches');
      const entries = (await console.listEntries(wallet.id)).filter((entry) => entry.kind === 'charge');
      expect(entries.length).toBeGreaterThanOrEqual(atLeast);
      expect(entries.filter((entry) => !known.has(entry.request_id ?? '')).map(({ note }) => note)).toEqual(
        [],
      );
      expect(entries).toHaveLength(known.size);
    }

    // A worker that is killed alone has others that take over.
    if (kind.isOneProcess) return;

    it(
      'lose no line and pay for none twice when a worker is killed in the middle',
      { timeout: 2 * TAKEN_OVER_MS },
      async () => {
        const gate = createGate();
        const calls = get().upstream.calls.length;
        get().upstream.script('batched', ...waitAtEach(gate.wait));
        const made = await create(askMany(MANY));
        await get().upstream.waitForCall(() => get().upstream.calls.length > calls);
        await get().crashWorker();
        gate.open();
        get().upstream.script('batched', {});
        const done = await waitForEnd(made.id, undefined, TAKEN_OVER_MS);
        expect(done).toMatchObject({ status: 'completed', request_counts: { completed: MANY, failed: 0 } });
        const output = await read(done.output_file_id);
        expect(names(output)).toEqual(names(askMany(MANY) as never));
        expect(new Set(output.map(({ response }) => response?.request_id)).size).toBe(MANY);
        expect(await readCharges(output)).toHaveLength(MANY);
        await expectNoOtherCharge(MANY);
      },
    );
  });
}

/** The first calls wait, as many as a worker sends at once. */
function waitAtEach(wait: () => Promise<void>) {
  const held = Array.from({ length: MANY }, () => ({ wait }));
  return held as [{ wait: typeof wait }, ...typeof held];
}
