// Batches by three SDKs: OpenAI's of a file, Anthropic's of messages, Google's of a file whose results are downloaded.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI, { toFile } from 'openai';

const { GATEWAY_URL, GATEWAY_KEY, MODEL, HOME } = process.env;
const HELLO = [{ role: 'user', content: 'Say something.' }];

await Promise.all([runOpenAi(), runAnthropic(), runGoogle()]);

async function runOpenAi() {
  const client = new OpenAI({ baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY, maxRetries: 0 });
  const endpoint = '/v1/chat/completions';
  const line = { custom_id: 'one', method: 'POST', url: endpoint, body: { model: MODEL, messages: HELLO } };
  const file = await toFile(Buffer.from(`${JSON.stringify(line)}\n`), 'in.jsonl');
  const { id: input_file_id } = await client.files.create({ file, purpose: 'batch' });
  const { id } = await client.batches.create({ input_file_id, endpoint, completion_window: '24h' });
  const done = await waitFor(async () => {
    const batch = await client.batches.retrieve(id);
    return batch.status === 'completed' ? batch : undefined;
  });
  const [result] = readLines(await (await client.files.content(done.output_file_id)).text());
  assert.equal(result.custom_id, 'one');
  assert.notEqual(result.response.body.choices[0].message.content, '');
}

async function runAnthropic() {
  const client = new Anthropic({ baseURL: GATEWAY_URL, apiKey: GATEWAY_KEY, maxRetries: 0 });
  const { batches } = client.messages;
  const params = { model: MODEL, max_tokens: 64, messages: HELLO };
  const { id } = await batches.create({ requests: [{ custom_id: 'one', params }] });
  await waitFor(async () => ((await batches.retrieve(id)).processing_status === 'ended' ? true : undefined));
  for await (const { custom_id, result } of await batches.results(id)) {
    assert.deepEqual([custom_id, result.type], ['one', 'succeeded']);
    assert.notEqual(result.message.content[0].text, '');
  }
}

async function runGoogle() {
  const client = new GoogleGenAI({ apiKey: GATEWAY_KEY, httpOptions: { baseUrl: GATEWAY_URL } });
  const request = { contents: [{ role: 'user', parts: [{ text: 'Say something.' }] }] };
  const file = new Blob([`${JSON.stringify({ key: 'one', request })}\n`]);
  const { name: src } = await client.files.upload({ file, config: { mimeType: 'jsonl' } });
  const { name } = await client.batches.create({
    model: MODEL,
    src,
    config: { displayName: 'of the matrix' },
  });
  const done = await waitFor(async () => {
    const batch = await client.batches.get({ name });
    return batch.state === 'JOB_STATE_SUCCEEDED' ? batch : undefined;
  });
  const downloadPath = join(HOME, 'results.jsonl');
  await client.files.download({ file: done.dest.fileName, downloadPath });
  const [result] = readLines(await readFile(downloadPath, 'utf8'));
  assert.equal(result.key, 'one');
  assert.notEqual(result.response.candidates[0].content.parts[0].text, '');
}

function readLines(text) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function waitFor(look) {
  for (let tries = 0; tries < 200; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(200);
  }
  throw new Error('a batch did not end');
}
