import { omitUndefined } from '@mg/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../server.js';

const KEY = 'sk-fake';
const HEADERS = { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' };
const PARAMS = { model: 'plain', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] };

let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream({ acceptedKeys: [KEY] });
});
afterAll(() => upstream.close());

const ask = async (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = HEADERS,
) => {
  const answer = await fetch(
    `${upstream.url}/v1/messages/batches${path}`,
    omitUndefined({ method, headers, body: body && JSON.stringify(body) }),
  );
  const text = await answer.text();
  return { status: answer.status, text, json: path.endsWith('/results') ? undefined : JSON.parse(text) };
};
const request = (customId: string, params: object = PARAMS) => ({ custom_id: customId, params });
const waitForEnd = async (id: string) => {
  await expect.poll(async () => (await ask('GET', `/${id}`)).json.processing_status).toBe('ended');
  return (await ask('GET', `/${id}`)).json;
};

it('answers each request as if it had come by itself, in any order', async () => {
  const created = await ask('POST', '', {
    requests: [request('one'), request('two', { ...PARAMS, messages: [] })],
  });
  expect(created.json).toMatchObject({
    type: 'message_batch',
    request_counts: { processing: 2, succeeded: 0 },
  });
  const batch = await waitForEnd(created.json.id);
  expect(batch.request_counts).toMatchObject({ processing: 0, succeeded: 1, errored: 1 });
  const { text } = await ask('GET', `/${batch.id}/results`);
  const results = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { custom_id: string });
  expect(results.toSorted((a, b) => (a.custom_id < b.custom_id ? -1 : 1))).toMatchObject([
    { custom_id: 'one', result: { type: 'succeeded', message: { type: 'message' } } },
    {
      custom_id: 'two',
      result: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error' } } },
    },
  ]);
  expect((await ask('POST', `/${batch.id}/cancel`)).status).toBe(409);
});

it.each([
  ['no request', { requests: [] }],
  ['two requests of one name', { requests: [request('one'), request('one')] }],
  ['a name with another character', { requests: [request('1.2')] }],
  ['a name that is too long', { requests: [request('x'.repeat(65))] }],
  ['a request without params', { requests: [{ custom_id: 'one' }] }],
  ['metadata', { requests: [request('one')], metadata: {} }],
  ['a member of a request that is unknown', { requests: [{ ...request('one'), url: '/v1/messages' }] }],
])('refuses a batch with %s', async (_, body) => {
  const { status, json } = await ask('POST', '', body);
  expect(status).toBe(400);
  expect(json).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
});

it('refuses an unknown batch, another key and a request without a version', async () => {
  const refusals = [
    await ask('GET', '/msgbatch_nowhere'),
    await ask('GET', '', undefined, { ...HEADERS, 'x-api-key': 'sk-other' }),
    await ask('GET', '', undefined, { 'x-api-key': KEY }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([404, 401, 400]);
});
