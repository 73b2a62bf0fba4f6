import { omitUndefined } from '@mg/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../server.js';

const KEY = 'sk-fake';
let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream({ acceptedKeys: [KEY] });
});
afterAll(() => upstream.close());

const ask = async (method: string, path: string, body?: FormData | string, key = KEY) => {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const headers = { authorization: `Bearer ${key}`, ...type };
  const answer = await fetch(
    `${upstream.url}/v1${path}`,
    omitUndefined({ method, headers, body: body || undefined }),
  );
  const text = await answer.text();
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
};

function upload(lines: readonly object[], purpose = 'batch', name = 'in.jsonl') {
  const form = new FormData();
  form.set('purpose', purpose);
  form.set('file', new Blob(lines.map((line) => `${JSON.stringify(line)}\n`)), name);
  return ask('POST', '/files', form);
}
const line = (customId: string, changes: object = {}) => ({
  custom_id: customId,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'plain', messages: [{ role: 'user', content: 'Hello' }] },
  ...changes,
});
const create = (fileId: string, changes: object = {}) =>
  ask(
    'POST',
    '/batches',
    JSON.stringify({
      input_file_id: fileId,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      ...changes,
    }),
  );
const run = async (lines: readonly object[]) => {
  const { json } = await create((await upload(lines)).json.id);
  await expect
    .poll(async () => (await ask('GET', `/batches/${json.id}`)).json.status)
    .toMatch(/completed|failed/);
  return (await ask('GET', `/batches/${json.id}`)).json;
};

it('answers each request of a file as if it had come by itself', async () => {
  const wrong = line('two', { body: { model: 'plain', messages: [] } });
  const batch = await run([line('one'), wrong]);
  expect(batch).toMatchObject({ status: 'completed', object: 'batch' });
  expect(JSON.parse((await ask('GET', `/files/${batch.output_file_id}/content`)).text)).toMatchObject({
    custom_id: 'one',
    response: { status_code: 200, body: { object: 'chat.completion' } },
  });
  expect(JSON.parse((await ask('GET', `/files/${batch.error_file_id}/content`)).text)).toMatchObject({
    custom_id: 'two',
    response: { status_code: 400 },
  });
});

it.each([
  ['two requests of one name', [line('one'), line('one')], 'duplicate_custom_id'],
  ['a request for another endpoint', [line('one', { url: '/v1/embeddings' })], 'mismatched_endpoint'],
  ['requests for two models', [line('one'), line('two', { body: { model: 'other' } })], 'mismatched_model'],
  ['no request', [], 'invalid_file'],
])('fails a batch of a file with %s', async (_, lines, code) => {
  const batch = await run(lines);
  expect(batch).toMatchObject({ status: 'failed', errors: { data: [{ code }] } });
});

it('refuses what OpenAI refuses', async () => {
  const { json } = await upload([line('one')]);
  const refusals = [
    await upload([line('one')], 'assistants'),
    await upload([line('one')], 'batch', 'in.txt'),
    await create('file-nowhere'),
    await create(json.id, { endpoint: '/v1/files' }),
    await create(json.id, { completion_window: '1h' }),
    await create(json.id, { metadata: { long: 'x'.repeat(513) } }),
    await create(json.id, { output_expires_after: { anchor: 'created_at', seconds: 1 } }),
    await create(json.id, { priority: 1 }),
    await ask('GET', '/batches/batch_nowhere'),
    await ask('GET', '/batches', undefined, 'sk-other'),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 404, 400, 400, 400, 400, 400, 404, 401]);
});
