import {
  ApiError,
  type BatchJob,
  createPartFromUri,
  type InlinedRequest,
  JobState,
  type Part,
} from '@google/genai';
import { parseUsd } from '@mg/contract';
import { createGate } from '@mg/testkit';
import { describe, expect, it, vi } from 'vitest';
import { createGoogle, downloadGoogle } from '../clients/chat/gemini.js';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { HALF_PRICE } from '../deployment/configuration.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';

/** More than all workers of any deployment have in progress of one wallet. */
const MANY = 64;
const FILE_TEXT = 'Hello there, from a file';
const ENDED: ReadonlySet<JobState | undefined> = new Set([
  JobState.JOB_STATE_SUCCEEDED,
  JobState.JOB_STATE_FAILED,
  JobState.JOB_STATE_CANCELLED,
  JobState.JOB_STATE_EXPIRED,
]);

/** Google's batches through the official SDK. */
export function describeGoogleBatches(get: () => Deployment): void {
  const batches = (apiKey: string = KEYS.googleBatches) => createGoogle(get(), apiKey).batches;
  const ask = (key: string, changes: Partial<InlinedRequest> = {}): InlinedRequest => ({
    contents: 'Hello there',
    metadata: { key },
    ...changes,
  });
  const askMany = Array.from({ length: MANY }, (_, at) => ask(`line-${at}`));

  async function create(src: InlinedRequest[], model = 'batched') {
    const made = await batches().create({ model, src, config: { displayName: 'of the tests' } });
    return { ...made, name: made.name ?? '' };
  }
  const waitForEnd = (name: string) =>
    waitUntil('the end of a batch', async () => {
      const batch = await batches().get({ name });
      return ENDED.has(batch.state) && batch;
    });
  const statusOf = async (call: Promise<unknown>) => {
    const error: unknown = await call.catch((caught: unknown) => caught);
    return error instanceof ApiError ? error.status : undefined;
  };
  const resultsOf = ({ dest }: BatchJob) => dest?.inlinedResponses ?? [];

  /** A file, as a part of a request that names it. */
  async function uploadPart(): Promise<Part> {
    const file = new Blob([FILE_TEXT], { type: 'text/plain' });
    const { uri = '' } = await createGoogle(get(), KEYS.googleBatches).files.upload({ file });
    return createPartFromUri(uri, 'text/plain');
  }

  /** A file of requests, as Google's documentation has it sent. */
  async function uploadLines(lines: readonly object[]): Promise<string> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const sent = { file: new Blob([text]), config: { mimeType: 'jsonl' } };
    return (await createGoogle(get(), KEYS.googleBatches).files.upload(sent)).name ?? '';
  }

  async function readCharges() {
    const console = await ConsoleClient.asAdmin(get());
    const entries = await console.listEntries((await console.findWallet('google-batches')).id);
    return entries.filter(({ kind }) => kind === 'charge');
  }

  describe("Google's batches", () => {
    it('are made at the batch share of the price, exactly, with a result for each request', async () => {
      const calls = get().upstream.calls.length;
      const before = (await readCharges()).length;
      const part = await uploadPart();
      const made = await create([
        ask('one', { config: { systemInstruction: 'Be brief.', maxOutputTokens: 20 } }),
        ask('bad', { contents: [{ role: 'user', parts: [{ text: 1 as never }] }] }),
        ask('two', { model: 'batched', contents: [{ role: 'user', parts: [part] }] }),
      ]);
      expect(made).toMatchObject({ displayName: 'of the tests', model: 'models/batched' });
      expect(made.state).toBe(JobState.JOB_STATE_RUNNING);
      const done = await waitForEnd(made.name);
      expect(done.state).toBe(JobState.JOB_STATE_SUCCEEDED);
      const [one, bad, two] = resultsOf(done);
      expect([one, bad, two].map((result) => result?.metadata)).toEqual([
        { key: 'one' },
        { key: 'bad' },
        { key: 'two' },
      ]);
      for (const answered of [one, two]) {
        expect(answered?.response?.candidates?.[0]?.content?.parts?.[0]?.text).toBeTruthy();
        expect(answered?.error).toBeUndefined();
      }
      expect(bad).toMatchObject({ error: { code: 3, message: expect.stringContaining('contents[0]') } });
      const asked = get()
        .upstream.calls.slice(calls)
        .filter((call) => call.model === 'batched');
      expect(asked).toHaveLength(2);
      expect(asked.map(({ body }) => JSON.stringify(body)).join()).toContain(FILE_TEXT);
      const charges = await waitUntil('the charges', async () => {
        const own = await readCharges();
        return own.length >= before + 2 && own;
      });
      expect(charges).toHaveLength(before + 2);
      const sum = charges.slice(0, 2).reduce((total, { amount }) => total - parseUsd(amount), 0n);
      expect(sum).toBe(asked.reduce((total, call) => total + expectedCost(call, HALF_PRICE), 0n));
      const console = await ConsoleClient.asAdmin(get());
      const row = await waitUntil('the row in the log', () => console.findLog(charges[0]?.request_id ?? ''));
      expect(row).toMatchObject({ usage: { tier: 'batch' }, token_name: 'google-batches' });
    });

    it('are shown as operations, with their results where its documentation has them', async () => {
      const { name } = await create([ask('one')]);
      await waitForEnd(name);
      const answers = await Promise.all(
        ['v1beta', 'v1'].map((version) =>
          request(get(), `/${version}/${name}`, { headers: { 'x-goog-api-key': KEYS.googleBatches } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const [shown, other] = answers.map(({ text }) => JSON.parse(text) as unknown);
      expect(shown).toEqual(other);
      expect(shown).toMatchObject({
        name,
        done: true,
        metadata: {
          state: 'BATCH_STATE_SUCCEEDED',
          batchStats: { requestCount: '1', successfulRequestCount: '1', pendingRequestCount: '0' },
        },
        response: { inlinedResponses: { inlinedResponses: [{ metadata: { key: 'one' } }] } },
      });
    });

    it('are listed page by page, deleted, and not there for another wallet', async () => {
      const [first, second] = [await create([ask('one')]), await create([ask('one')])];
      await waitForEnd(first.name);
      await waitForEnd(second.name);
      const pager = await batches().list({ config: { pageSize: 1 } });
      expect(pager.page.map(({ name }) => name)).toEqual([second.name]);
      expect((await pager.nextPage()).map(({ name }) => name)).toEqual([first.name]);
      const stranger = batches(KEYS.main);
      for (const look of ['get', 'cancel', 'delete'] as const) {
        expect(await statusOf(stranger[look]({ name: second.name }))).toBe(404);
      }
      expect(await statusOf(batches().cancel({ name: second.name }))).toBe(409);
      await batches().delete({ name: second.name });
      expect(await statusOf(batches().get({ name: second.name }))).toBe(404);
    });

    it('that are cancelled keep what was made, and say of the rest that it was not', async () => {
      const gate = createGate();
      const calls = get().upstream.calls.length;
      get().upstream.script('batched', { wait: gate.wait });
      const { name } = await create(askMany);
      await get().upstream.waitForCall(() => get().upstream.calls.length > calls);
      expect(await statusOf(batches().delete({ name }))).toBe(409);
      await batches().cancel({ name });
      gate.open();
      const done = await waitForEnd(name);
      get().upstream.script('batched', {});
      expect(done.state).toBe(JobState.JOB_STATE_CANCELLED);
      const results = resultsOf(done);
      expect(results.map(({ metadata }) => metadata)).toEqual(askMany.map(({ metadata }) => metadata));
      const answered = results.filter(({ response }) => response);
      expect(answered.length).toBeGreaterThan(0);
      const others = results.filter(({ response }) => !response);
      expect(others.length).toBeGreaterThan(0);
      expect(new Set(others.map(({ error }) => error?.code))).toEqual(new Set([1]));
    });

    it('of embeddings hold a vector for each text', async () => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
      const { name = '' } = await batches().createEmbeddings({
        model: 'embed-gemini',
        src: { inlinedRequests: { contents: ['a river', 'a hill'], config: { outputDimensionality: 8 } } },
      });
      warn.mockRestore();
      const { state, dest } = await waitForEnd(name);
      expect(state).toBe(JobState.JOB_STATE_SUCCEEDED);
      const vectors = dest?.inlinedEmbedContentResponses?.map(({ response }) => response?.embedding?.values);
      expect(vectors).toEqual([expect.any(Array), expect.any(Array)]);
    });

    it('of a file are answered in a file, which is downloaded', async () => {
      const lines = [
        { key: 'one', request: { contents: [{ role: 'user', parts: [{ text: 'Hello there' }] }] } },
        { key: 'bad', request: { contents: [{ role: 'user', parts: [{ text: 1 }] }] } },
      ];
      const { files } = createGoogle(get(), KEYS.googleBatches);
      const src = await uploadLines(lines);
      const { name = '', state } = await batches().create({ model: 'batched', src });
      expect([JobState.JOB_STATE_PENDING, JobState.JOB_STATE_RUNNING]).toContain(state);
      const done = await waitForEnd(name);
      expect(done.state).toBe(JobState.JOB_STATE_SUCCEEDED);
      const made = done.dest?.fileName ?? '';
      const results = await downloadGoogle(get(), made, KEYS.googleBatches);
      expect(results.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { key: 'one', response: { candidates: [{}] } },
        { key: 'bad', error: { code: 3, message: expect.stringContaining('contents[0]') } },
      ]);
      expect(await files.get({ name: made })).toMatchObject({ name: made, source: 'GENERATED' });
      const headers = { 'x-goog-api-key': KEYS.googleBatches };
      const shown = JSON.parse((await request(get(), `/v1beta/${name}`, { headers })).text) as unknown;
      expect(shown).toMatchObject({
        done: true,
        metadata: { output: { responsesFile: made } },
        response: { responsesFile: made },
      });
      const path = (file: string) => `/download/v1beta/${file}:download?alt=media`;
      expect((await request(get(), path(made), { headers })).text).toBe(`${results.join('\n')}\n`);
      // What was uploaded is not downloaded, and what is another wallet's is not there.
      expect((await request(get(), path(src), { headers })).status).toBe(400);
      const others = { 'x-goog-api-key': KEYS.main };
      expect((await request(get(), path(made), { headers: others })).status).toBe(403);
      expect(await statusOf(batches(KEYS.main).create({ model: 'batched', src }))).toBe(403);
    });

    it('of a file with a wrong line are never begun, and say which line', async () => {
      const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello there' }] }] };
      const src = await uploadLines([
        { key: 'one', request: hello },
        { key: 'one', request: hello },
        { key: 'two' },
      ]);
      const { name = '' } = await batches().create({ model: 'batched', src });
      expect((await waitForEnd(name)).state).toBe(JobState.JOB_STATE_FAILED);
      const headers = { 'x-goog-api-key': KEYS.googleBatches };
      const { text } = await request(get(), `/v1beta/${name}`, { headers });
      expect(JSON.parse(text)).toMatchObject({
        done: true,
        error: { code: 3, message: expect.stringMatching(/^Line 2: .*key.* Line 3: request must be/) },
      });
    });

    it('are refused by the name of the field, and for a model that there is not', async () => {
      const other = create([ask('one'), ask('two', { model: 'plain' })]);
      const error: unknown = await other.catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        status: 400,
        message: expect.stringContaining('requests[1].request.model'),
      });
      expect(await statusOf(batches().create({ model: 'batched', src: 'files/abc' }))).toBe(403);
      expect(await statusOf(create([ask('one')], 'nowhere'))).toBe(404);
    });
  });
}
