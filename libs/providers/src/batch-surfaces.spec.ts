import { describe, expect, it } from 'vitest';
import type { BatchSurface } from './batch-surface.js';
import { listProviders } from './registry.js';

const ORDER = { id: '019ab5c1-7f00-7000-8000-000000000001', endpoint: '', count: 2, headers: {} };
const BATCHES = listProviders().flatMap(({ id, batches }) =>
  batches ? [[id, batches] as [string, BatchSurface]] : [],
);

it.each(BATCHES)('%s: an id stays within its path', (_, batches) => {
  const id = '../files?x#y';
  for (const { path } of [batches.retrieve(id), batches.cancel(id), batches.list(id)]) {
    expect(path).not.toContain('../');
    expect(path.split('?').length).toBeLessThanOrEqual(2);
    expect(path).not.toContain('#');
  }
});

it.each(BATCHES)('%s: what is no answer to a request says nothing of it', (_, batches) => {
  for (const line of [{}, { custom_id: 'one' }, { custom_id: 'one', result: {}, error: {} }]) {
    expect(batches.readResult(line).answer).toBeUndefined();
  }
  expect(batches.readProgress({})).toBeUndefined();
  expect(batches.readList({ error: {} })).toBeUndefined();
  expect(batches.readId({ id: 7 })).toBeUndefined();
});

describe("Anthropic's message batches", () => {
  const batches = listProviders().find(({ id }) => id === 'anthropic')?.batches as BatchSurface;
  const errored = (type: string) => ({
    custom_id: 'one',
    result: { type: 'errored', error: { type: 'error', error: { type, message: 'no' } } },
  });

  it('hold their requests, with the headers of messages alone', () => {
    const requests = ['one', 'two'].map((name) =>
      batches.writeRequest(name, Buffer.from('{"a":1}'), '/messages'),
    );
    const headers = { 'anthropic-beta': 'x', cookie: 'y' };
    const { body, headers: sent } = batches.create({ ...ORDER, headers }, { kind: 'requests', requests });
    expect(JSON.parse(String(Buffer.concat(body ?? [])))).toEqual({
      requests: [
        { custom_id: 'one', params: { a: 1 } },
        { custom_id: 'two', params: { a: 1 } },
      ],
    });
    expect(sent).toEqual({ 'anthropic-beta': 'x', 'content-type': 'application/json' });
  });

  it('may be ours where they have as many requests, and cannot be otherwise', () => {
    const listed = (processing: number, succeeded: number) => ({ request_counts: { processing, succeeded } });
    expect(batches.isOrdered(listed(2, 0), ORDER)).toBeUndefined();
    expect(batches.isOrdered(listed(0, 2), ORDER)).toBeUndefined();
    expect(batches.isOrdered(listed(3, 0), ORDER)).toBe(false);
    expect(batches.isOrdered({}, ORDER)).toBe(false);
  });

  it('have results where they say, and at the address of the channel where that is as usual', () => {
    const path = '/messages/batches/msgbatch_1/results';
    const ended = { id: 'msgbatch_1', processing_status: 'ended' };
    const resultsOf = (results_url: string) => batches.readProgress({ ...ended, results_url });
    expect(resultsOf(`https://api.example/v1${path}`)).toEqual({
      kind: 'ended',
      outcome: 'completed',
      results: [{ method: 'GET', path }],
      namesAll: true,
    });
    const url = 'https://api.example/v2/x';
    expect(resultsOf(url)).toMatchObject({ results: [{ url }] });
    expect(batches.readProgress({ ...ended, processing_status: 'canceling' })).toMatchObject({
      kind: 'running',
    });
  });

  it.each([
    ['invalid_request_error', 400],
    ['request_too_large', 413],
    ['authentication_error', undefined],
    ['rate_limit_error', undefined],
    ['overloaded_error', undefined],
    ['api_error', undefined],
  ])('an error of type %s ends a line with %s, or does not', (type, status) => {
    expect(batches.readResult(errored(type)).answer?.status).toBe(status);
  });
});

describe("Google's batches", () => {
  const batches = listProviders().find(({ id }) => id === 'gemini')?.batches as BatchSurface;
  const endpoint = '/models/gemini-3-pro:generateContent';
  const inState = (state: string, batchStats?: object, output?: object) => ({
    name: 'batches/b1',
    metadata: { state, batchStats, output },
  });

  it('take what a model generates, and are of the model in the path', () => {
    expect(batches.takes(endpoint)).toBe(true);
    for (const other of [
      '/models/x:streamGenerateContent?alt=sse',
      '/models/x:batchEmbedContents',
      '/models/x/y:generateContent',
    ]) {
      expect(batches.takes(other)).toBe(false);
    }
    const { path, body } = batches.create({ ...ORDER, endpoint }, { kind: 'file', fileId: 'files/f1' });
    expect(path).toBe('/models/gemini-3-pro:batchGenerateContent');
    expect(JSON.parse(String(Buffer.concat(body ?? [])))).toEqual({
      batch: { displayName: ORDER.id, inputConfig: { fileName: 'files/f1' } },
    });
  });

  it('of embeddings have a method of their own', () => {
    const embeds = '/models/gemini-embedding-001:embedContent';
    expect(batches.takes(embeds)).toBe(true);
    expect(batches.create({ ...ORDER, endpoint: embeds }, { kind: 'file', fileId: 'files/f1' }).path).toBe(
      '/models/gemini-embedding-001:asyncBatchEmbedContent',
    );
  });

  it.each([
    ['BATCH_STATE_PENDING', undefined, true],
    ['BATCH_STATE_RUNNING', { pendingRequestCount: '2' }, true],
    ['BATCH_STATE_RUNNING', { successfulRequestCount: '1' }, false],
    ['BATCH_STATE_RUNNING', undefined, false],
    ['BATCH_STATE_OF_LATER', undefined, false],
  ])('in %s with %j may be cancelled: %s', (state, stats, isCancellable) => {
    expect(batches.readProgress(inState(state, stats))).toEqual({ kind: 'running', isCancellable });
  });

  it.each([
    ['BATCH_STATE_EXPIRED', { pendingRequestCount: '2' }, false],
    ['JOB_STATE_CANCELLED', { successfulRequestCount: '1' }, true],
    ['BATCH_STATE_CANCELLED', undefined, true],
    ['BATCH_STATE_FAILED', { successfulRequestCount: '1' }, true],
    ['BATCH_STATE_SUCCEEDED', {}, true],
  ])('that end as %s with %j leave what they do not name unknown: %s', (state, stats, namesAll) => {
    expect(batches.readProgress(inState(state, stats))).toMatchObject({
      kind: 'ended',
      results: [],
      namesAll,
    });
  });

  it('have a file of results, of no other name than that of a file', () => {
    const read = (responsesFile: string) =>
      batches.readProgress(inState('BATCH_STATE_SUCCEEDED', {}, { responsesFile }));
    expect(read('files/batch-1')).toMatchObject({
      results: [{ path: '/download/v1beta/files/batch-1:download?alt=media', isBesideVersion: true }],
    });
    expect(read('files/../../v1beta/files')).toMatchObject({ results: [] });
    expect(batches.readProgress(inState('BATCH_STATE_FAILED'))).toEqual({ kind: 'failed' });
  });

  it.each([
    [{ response: {} }, 200],
    [{ error: { code: 3, message: 'no' } }, 400],
    [{ status: { code: 3, message: 'no' } }, 400],
    [{ error: { code: 8 } }, undefined],
    [{ error: { code: 13 } }, undefined],
  ])('a line with %j ends with %s, or does not', (line, status) => {
    expect(batches.readResult({ key: 'one', ...line })).toMatchObject({ name: 'one' });
    expect(batches.readResult({ key: 'one', ...line }).answer?.status).toBe(status);
  });
});
