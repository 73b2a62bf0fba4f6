import { Readable } from 'node:stream';
import { type ApiError, createPartFromUri, createUserContent, GoogleGenAI, type Part } from '@google/genai';
import { type CallerToken, type HoldRequest, omitUndefined, sha256 } from '@mg/contract';
import {
  type CachedContents,
  deriveSecretKey,
  openDatabase,
  StoredFiles,
  StoredUploads,
  UploadLinks,
  WalletBatches,
} from '@mg/persistence/gateway';
import { createTestDatabase, seedPayer } from '@mg/testkit';
import OpenAI, { toFile } from 'openai';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Funds } from '../access/funds.js';
import { TokenCache } from '../access/token-cache.js';
import { AnthropicFiles, expectFiles, expectIsolation, expectMessages } from '../testing/anthropic-files.js';
import { expectResults, ResultBucket } from '../testing/result-files.js';
import { type ScriptedUpstream, startScriptedUpstream } from '../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const OTHER_KEY = 'sk-other-wallet-0000';
const CHUNK = 256 * 1024;
const HOURS_48_MS = 48 * 60 * 60 * 1_000;
const PDF = Buffer.from('%PDF-1.7 a document of some length');
const ANSWER = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Seen.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
};
const CONVERTED_ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Seen.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 2 },
};

let stopDatabase: () => Promise<void>;
let database: DataSource;
let upstream: ScriptedUpstream;
let gateway: SmallGateway;
let bucket: ResultBucket;
let walletId: string;
const holds: bigint[] = [];
let allowedIps: CallerToken['allowedIps'];

const openFiles = (url: string) => openDatabase({ url, poolSize: 4, applicationName: 'named-files-test' });

beforeAll(async () => {
  const { databaseUrl, stop } = await createTestDatabase(async (url) => (await openFiles(url)).destroy());
  stopDatabase = stop;
  database = await openFiles(databaseUrl);
  upstream = await startScriptedUpstream();
  ({ walletId } = await seedPayer(database, { balance: 1n }));
  const { walletId: otherId } = await seedPayer(database, { balance: 1n });
  const wallets = new Map([
    [sha256('sk-filing0000000000'), walletId],
    [sha256(OTHER_KEY), otherId],
  ]);
  const tokens = new TokenCache(async (hash) => {
    const wallet = wallets.get(hash);
    return wallet === undefined
      ? undefined
      : ({ id: hash, name: 't', userId: 'u', disabled: false, walletId: wallet, allowedIps } as CallerToken);
  });
  const key = deriveSecretKey('a key of thirty-two characters...');
  bucket = await ResultBucket.open();
  const files = new StoredFiles(database, key, { keepDays: 30, store: bucket.store });
  gateway = await startSmallGateway('filing', {
    tokens,
    funds: { need: async () => undefined } as unknown as Funds,
    files,
    uploads: new StoredUploads(database, files),
    uploadLinks: new UploadLinks(key),
    batches: new WalletBatches(database, key),
    cachedContents: { count: async () => 0 } as unknown as CachedContents,
    wallet: {
      openHold: async ({ wanted }: HoldRequest) => {
        holds.push(wanted);
        return { granted: wanted };
      },
    } as never,
  });
});
beforeEach(() => {
  holds.length = 0;
  upstream.asked.length = 0;
  useChannel('gemini');
});
afterAll(async () => {
  await Promise.all([gateway.close(), bucket.close()]);
  upstream.close();
  await database.destroy();
  await stopDatabase();
});

function useChannel(type: 'gemini' | 'anthropic'): void {
  const isGemini = type === 'gemini';
  const baseUrl = `${upstream.url}/${isGemini ? 'v1beta' : 'v1'}`;
  gateway.channels = [makeChannel('c', { type, baseUrl, apiKeys: ['key-of-a-provider'] })];
  upstream.answer = { body: JSON.stringify(isGemini ? ANSWER : CONVERTED_ANSWER) };
}

const connect = (apiKey = gateway.key) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url } });
const upload = (bytes = PDF, mimeType = 'application/pdf', config = {}) =>
  connect().files.upload({ file: new Blob([bytes], { type: mimeType }), config: { mimeType, ...config } });
const ask = (part: Part, apiKey?: string) =>
  connect(apiKey).models.generateContent({ model: 'm', contents: createUserContent(['What is it?', part]) });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ status, message }: ApiError) => ({ status, message: message.replaceAll(/"request_id":"[^"]*"/g, '') }),
  );

/** Sends a step of an upload without a key, as the SDK for Python does. */
async function step(url: string, headers: Record<string, string>, body?: Buffer) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...omitUndefined({ body }),
  });
  return {
    status: answer.status,
    state: answer.headers.get('x-goog-upload-status'),
    received: answer.headers.get('x-goog-upload-size-received'),
    url: answer.headers.get('x-goog-upload-url') ?? '',
    body: (await answer.json()) as { file?: { name: string; uri: string; sizeBytes: string } },
  };
}

const start = (bytes: number, file: object = {}, key = gateway.key) =>
  step(
    `${gateway.url}/upload/v1beta/files`,
    {
      'x-goog-api-key': key,
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(bytes),
      'x-goog-upload-header-content-type': 'image/png',
    },
    Buffer.from(JSON.stringify({ file })),
  );
const send = (url: string, command: string, offset: number, body?: Buffer, key?: string) =>
  step(
    url,
    {
      'x-goog-upload-command': command,
      'x-goog-upload-offset': String(offset),
      ...omitUndefined({ 'x-goog-api-key': key }),
    },
    body,
  );

describe("Google's files, by the official SDK", () => {
  it('are uploaded, shown, listed page by page and deleted', async () => {
    const { files } = connect();
    const file = await upload(PDF, 'application/pdf', { displayName: 'a paper', name: 'my-paper' });
    expect(file).toMatchObject({
      name: 'files/my-paper',
      displayName: 'a paper',
      mimeType: 'application/pdf',
      sizeBytes: String(PDF.length),
      uri: `${gateway.url}/v1beta/files/my-paper`,
      state: 'ACTIVE',
    });
    const lasts = Date.parse(file.expirationTime ?? '') - Date.parse(file.createTime ?? '');
    expect(Math.abs(lasts - HOURS_48_MS)).toBeLessThan(60_000);
    const other = await upload();
    expect(other.name).toMatch(/^files\/[0-9a-f]{32}$/);
    const listed: unknown[] = [];
    for await (const one of await files.list({ config: { pageSize: 1 } })) listed.push(one.name);
    expect(listed).toEqual([other.name, file.name]);
    expect(await files.get({ name: file.name ?? '' })).toEqual(file);
    expect(await failureOf(upload(PDF, 'application/pdf', { name: 'my-paper' }))).toMatchObject({
      status: 409,
    });
    for (const { name = '' } of [file, other]) await files.delete({ name });
    expect(await failureOf(files.get({ name: file.name ?? '' }))).toMatchObject({ status: 403 });
  });

  it('are listed with what batches of their wallet read and write', async () => {
    const { files } = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const asked = await files.create({
      file: await toFile(Buffer.from('{}\n'), 'in.jsonl'),
      purpose: 'batch',
    });
    const results = { id: 'file-results', purpose: 'batch_output', filename: 'out.jsonl' };
    await gateway.context.files.write(walletId, results, Readable.from([Buffer.from('{}\n')]));
    const lines = { mimeType: 'application/jsonl', sizeBytes: '3' };
    expect((await connect().files.list()).page).toMatchObject([
      { ...lines, name: 'files/file-results', source: 'GENERATED', downloadUri: expect.any(String) },
      { ...lines, name: `files/${asked.id}`, source: 'UPLOADED', displayName: 'in.jsonl' },
    ]);
    expect((await connect(OTHER_KEY).files.list()).page).toEqual([]);
    for (const id of [results.id, asked.id]) await connect().files.delete({ name: `files/${id}` });
  });

  it('are to another wallet what unknown ones are', async () => {
    const { name = '', uri = '' } = await upload();
    const unknown = `files/${'0'.repeat(32)}`;
    const stranger = connect(OTHER_KEY).files;
    const hideName = (failure: Awaited<ReturnType<typeof failureOf>>) =>
      JSON.stringify(failure).replaceAll(name.slice(6), 'NAME').replaceAll(unknown.slice(6), 'NAME');
    for (const use of [
      (id: string) => stranger.get({ name: id }),
      (id: string) => stranger.delete({ name: id }),
      (id: string) => ask(createPartFromUri(`${gateway.url}/v1beta/${id}`, 'application/pdf'), OTHER_KEY),
    ]) {
      const foreign = hideName(await failureOf(use(name)));
      expect(foreign).toBe(hideName(await failureOf(use(unknown))));
      expect(foreign).toMatch(/^\{"status":403/);
    }
    expect((await stranger.list()).page).toEqual([]);
    expect(upstream.asked).toEqual([]);
    expect(uri).toContain(name);
    await connect().files.delete({ name });
  });
});

describe('an upload', () => {
  it('comes in chunks to an address that needs no key, each of them once however often it is sent', async () => {
    const [first, last] = [Buffer.alloc(CHUNK, 'a'), Buffer.from('the end')];
    const { url } = await start(CHUNK + last.length, { display_name: 'in pieces' });
    expect(url.startsWith(`${gateway.url}/upload/v1beta/files?upload_id=`)).toBe(true);
    expect(await send(url, 'upload', 0, first)).toMatchObject({ state: 'active', received: String(CHUNK) });
    expect(await send(url, 'upload', 0, first)).toMatchObject({ state: 'active', received: String(CHUNK) });
    expect(await send(url, 'query', 0)).toMatchObject({ state: 'active', received: String(CHUNK) });
    expect((await send(url, 'upload', 5, first)).status).toBe(400);
    expect((await send(url, 'finalize', CHUNK)).status).toBe(400);
    const done = await send(url, 'upload, finalize', CHUNK, last);
    expect(done).toMatchObject({ state: 'final', body: { file: { sizeBytes: String(CHUNK + 7) } } });
    expect(await send(url, 'upload, finalize', CHUNK, last)).toEqual(done);
    const id = done.body.file?.name.split('/')[1] ?? '';
    const content = await fetch(`${gateway.url}/v1/files/${id}/content`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(await content.text()).toBe(`${first}${last}`);
    await connect().files.delete({ name: `files/${id}` });
  });

  it('is called off, and is not there for the key of another wallet or at an address that was altered', async () => {
    const { url } = await start(3);
    expect((await send(url, 'upload, finalize', 0, Buffer.from('abc'), OTHER_KEY)).status).toBe(404);
    const altered = url.replace(/.(?=.{59}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    expect((await send(altered, 'query', 0)).status).toBe(404);
    expect(await send(url, 'cancel', 0)).toMatchObject({ state: 'cancelled' });
    expect((await send(url, 'upload, finalize', 0, Buffer.from('abc'))).status).toBe(409);
  });

  it('goes on only from an address that its key may be used from, with and without the key', async () => {
    const { url } = await start(3);
    allowedIps = { has: (address) => address === '203.0.113.7' };
    gateway.context.tokens.forget(sha256(gateway.key));
    for (const key of [undefined, gateway.key]) {
      expect((await send(url, 'upload, finalize', 0, Buffer.from('abc'), key)).status).toBe(403);
    }
    allowedIps = undefined;
    gateway.context.tokens.forget(sha256(gateway.key));
    expect(await send(url, 'cancel', 0)).toMatchObject({ state: 'cancelled' });
  });

  it('holds no more than a request can, in chunks that are few', async () => {
    expect((await start(15_000_001)).status).toBe(413);
    expect((await start(15_000_001, { mimeType: 'jsonl' })).status).toBe(200);
    expect((await start(200 * 1024 * 1024 + 1, { mimeType: 'jsonl' })).status).toBe(413);
    expect((await start(0)).status).toBe(400);
    expect((await start(3, { name: 'files/No' })).status).toBe(400);
    const { url } = await start(CHUNK);
    expect((await send(url, 'upload', 0, Buffer.from('a'))).status).toBe(400);
    expect((await send(url, 'upload', 0, Buffer.alloc(CHUNK + 1))).status).toBe(413);
    expect((await send(url, 'start', 0)).status).toBe(400);
  });
});

describe('a file that a call names', () => {
  const inlineOf = (mimeType: string, bytes = PDF) => ({
    inlineData: { mimeType, data: bytes.toString('base64') },
  });
  const partsSent = () => {
    const contents = upstream.asked.at(-1)?.body.contents as { parts: unknown[] }[] | undefined;
    return contents?.[0]?.parts;
  };

  it('reaches the channel as data of the same type, and holds and costs what that would', async () => {
    const { name = '', uri = '', mimeType = '' } = await upload();
    expect((await ask(createPartFromUri(uri, mimeType))).text).toBe('Seen.');
    expect(partsSent()).toEqual([{ text: 'What is it?' }, inlineOf('application/pdf')]);
    await ask(inlineOf('application/pdf'));
    expect(holds[0]).toBe(holds[1]);
    // Without a type the one it was uploaded with counts; in snake_case; by another address of the same gateway.
    const asked = await gateway.post('/v1beta/models/m:generateContent', {
      contents: [{ role: 'user', parts: [{ file_data: { file_uri: `https://gateway/v1beta/${name}` } }] }],
    });
    expect(asked.status).toBe(200);
    expect(partsSent()).toEqual([inlineOf('application/pdf')]);
    await connect().files.delete({ name });
  });

  it('reaches channels of other protocols too', async () => {
    useChannel('anthropic');
    const { name = '', uri = '', mimeType = '' } = await upload();
    await ask(createPartFromUri(uri, mimeType));
    expect(upstream.asked[0]?.body).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text' },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: PDF.toString('base64') },
            },
          ],
        },
      ],
    });
    await connect().files.delete({ name });
  });

  it('is counted and refused as data would be where it is too much', async () => {
    const large = Buffer.alloc(3_200_000, 'x');
    const { name = '', uri = '' } = await upload(large, 'text/plain');
    await ask(createPartFromUri(uri, 'text/plain'));
    expect(partsSent()).toEqual([{ text: 'What is it?' }, inlineOf('text/plain', large)]);
    const again = connect().models.generateContent({
      model: 'm',
      contents: createUserContent(Array.from({ length: 5 }, () => createPartFromUri(uri, 'text/plain'))),
    });
    expect(await failureOf(again)).toMatchObject({ status: 413 });
    const counted = connect().models.countTokens({
      model: 'm',
      contents: createUserContent(createPartFromUri(uri, 'text/plain')),
    });
    expect(await failureOf(counted)).toMatchObject({ status: 413 });
    await connect().files.delete({ name });
  });

  it('counts tokens of small files', async () => {
    const { name = '', uri = '' } = await upload(Buffer.from('A text of a file.'), 'text/plain');
    upstream.answer = { body: JSON.stringify({ totalTokens: 9 }) };
    const counted = await connect().models.countTokens({
      model: 'm',
      contents: createUserContent(createPartFromUri(uri, 'text/plain')),
    });
    expect(counted.totalTokens).toBe(9);
    expect(JSON.stringify(upstream.asked[0]?.body)).toContain('inlineData');
    await connect().files.delete({ name });
  });
});

describe("OpenAI's files, by the official SDK", () => {
  const openAi = () => new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const document = {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: PDF.toString('base64') },
  };
  const sent = () => upstream.asked.at(-1)?.body.messages;

  it('are named by chat completions and responses over every channel, and are those of Google', async () => {
    useChannel('anthropic');
    const { files, chat, responses } = openAi();
    const { id, purpose } = await files.create({ file: await toFile(PDF, 'a.pdf'), purpose: 'user_data' });
    expect(purpose).toBe('user_data');
    await chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: id } }] }],
    });
    expect(sent()).toMatchObject([{ content: [document] }]);
    await responses.create({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_file', file_id: id }] }],
    });
    expect(sent()).toMatchObject([{ content: [document] }]);
    expect(await connect().files.get({ name: `files/${id}` })).toMatchObject({
      mimeType: 'application/pdf',
      displayName: 'a.pdf',
    });
    await files.delete(id);
    const call = chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: id } }] }],
    });
    await expect(call).rejects.toMatchObject({ status: 400, param: 'messages[0].content[0].file.file_id' });
  });
});

describe("Anthropic's files, by the official SDK", () => {
  const stage = () => new AnthropicFiles({ gateway, upstream, holds, otherKey: OTHER_KEY, useChannel });

  it('are uploaded, shown, listed page by page in both directions and deleted', () => expectFiles(stage()));
  it('reach every channel as data, and hold what that would', () => expectMessages(stage()));
  it('are to another wallet what unknown ones are', () => expectIsolation(stage()));
});

it('results of batches are read by each API from the result store, and not while it is away', () =>
  expectResults({ bucket, gateway, database, walletId, otherKey: OTHER_KEY }));
