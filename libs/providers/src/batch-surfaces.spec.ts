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
  for (const line of [{}, { custom_id: 'one' }, { custom_id: 'one', result: {}, response: {}, error: {} }]) {
    expect(batches.readResult(line).answer).toBeUndefined();
  }
  expect(batches.readProgress({})).toBeUndefined();
  expect(batches.readList({})).toBeUndefined();
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
    expect(JSON.parse(String(body))).toEqual({
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

  it('have results at the address of the channel, whatever they say', () => {
    const ended = {
      id: 'msgbatch_1',
      processing_status: 'ended',
      results_url: 'https://elsewhere.example/x',
    };
    expect(batches.readProgress(ended)).toMatchObject({
      outcome: 'completed',
      results: [{ path: '/messages/batches/msgbatch_1/results' }],
    });
    expect(batches.readProgress({ ...ended, processing_status: 'canceling' })).toEqual({ kind: 'running' });
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
