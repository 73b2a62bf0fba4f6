import { omitUndefined } from '@mg/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../server.js';

const KEY = 'fake-key';
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };

let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream({ acceptedKeys: [KEY] });
});
afterAll(() => upstream.close());

const ask = async (method: string, url: string, body?: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(
    url.startsWith('http') ? url : upstream.url + url,
    omitUndefined({ method, headers: { 'x-goog-api-key': KEY, ...headers }, body }),
  );
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    json: /^\{.*\}$/.test(text) ? JSON.parse(text) : undefined,
    uploadUrl: answer.headers.get('x-goog-upload-url') ?? '',
  };
};
async function upload(lines: readonly object[]): Promise<string> {
  const announced = await ask('POST', '/upload/v1beta/files', '{}', {
    'x-goog-upload-protocol': 'resumable',
    'x-goog-upload-command': 'start',
  });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const headers = { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' };
  return (await ask('POST', announced.uploadUrl, text, headers)).json.file.name;
}
const create = (batch: object) =>
  ask('POST', '/v1beta/models/plain:batchGenerateContent', JSON.stringify({ batch }));
const line = (key: string, request: object = CONTENTS) => ({ key, request });
async function run(lines: readonly object[]) {
  const { json } = await create({ displayName: 'one', inputConfig: { fileName: await upload(lines) } });
  const read = async () => (await ask('GET', `/v1beta/${json.name}`)).json;
  await expect.poll(async () => (await read()).done).toBe(true);
  return (await read()).metadata;
}

it('answers each request of a file as if it had come by itself', async () => {
  const { state, batchStats, output } = await run([line('one'), line('two', { contents: [] })]);
  expect(state).toBe('BATCH_STATE_SUCCEEDED');
  expect(batchStats).toEqual({ requestCount: '2', successfulRequestCount: '1' });
  const { text } = await ask('GET', `/download/v1beta/${output.responsesFile}:download?alt=media`);
  const results = text
    .split('\n')
    .slice(0, -1)
    .map((result) => JSON.parse(result) as object);
  expect(results).toMatchObject([
    { key: 'one', response: { candidates: [{}] } },
    { key: 'two', error: { code: 3 } },
  ]);
});

it.each([
  ['two requests of one key', [line('one'), line('one')]],
  ['a request without a key', [{ request: CONTENTS }]],
  ['a member that is unknown', [{ ...line('one'), url: '/' }]],
])('fails a batch of a file with %s', async (_, lines) => {
  expect((await run(lines)).state).toBe('BATCH_STATE_FAILED');
});

it('refuses what Google refuses', async () => {
  const inputConfig = { fileName: await upload([line('one')]) };
  const refusals = [
    await create({ inputConfig }),
    await create({ displayName: 'one' }),
    await create({ displayName: 'one', inputConfig, metadata: {} }),
    await create({ displayName: 'one', inputConfig: { fileName: 'files/nowhere' } }),
    await ask('GET', '/v1beta/batches/nowhere'),
    await ask('GET', '/v1beta/batches', undefined, { 'x-goog-api-key': 'other' }),
    await ask('POST', '/upload/v1beta/files', 'x'),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 404, 404, 400, 400]);
});
