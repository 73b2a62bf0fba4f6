import Anthropic, { type APIError, toFile } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { expect } from 'vitest';
import type { ScriptedUpstream } from './scripted-upstream.js';
import type { SmallGateway } from './small-gateway.js';

const PDF = Buffer.from('%PDF-1.7 a document of some length');
const BETAS = ['files-api-2025-04-14'];

/** Where files are kept: two wallets, and a channel. */
interface FilesPlace {
  readonly gateway: SmallGateway;
  readonly upstream: ScriptedUpstream;
  /** What was held for each call. */
  readonly holds: readonly bigint[];
  /** A key of another wallet. */
  readonly otherKey: string;
  useChannel(type: 'gemini' | 'anthropic'): void;
}

/** Anthropic's Files API, and messages that name its files, as the official SDK asks for them. */
export class AnthropicFiles {
  readonly gateway: SmallGateway;
  readonly upstream: ScriptedUpstream;
  readonly holds: readonly bigint[];
  readonly otherKey: string;
  readonly useChannel: FilesPlace['useChannel'];

  constructor({ gateway, upstream, holds, otherKey, useChannel }: FilesPlace) {
    this.gateway = gateway;
    this.upstream = upstream;
    this.holds = holds;
    this.otherKey = otherKey;
    this.useChannel = useChannel;
  }

  client(apiKey = this.gateway.key): Anthropic {
    return new Anthropic({ apiKey, baseURL: this.gateway.url, maxRetries: 0 });
  }

  google(): GoogleGenAI {
    return new GoogleGenAI({ apiKey: this.gateway.key, httpOptions: { baseUrl: this.gateway.url } });
  }

  async upload(name: string, bytes = PDF, type = 'application/pdf', options = {}) {
    const file = await toFile(bytes, name, { type });
    return this.client().beta.files.upload({ file, betas: BETAS, ...options });
  }

  say(content: Anthropic.Beta.BetaContentBlockParam[], apiKey?: string) {
    return this.client(apiKey).beta.messages.create({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content }],
      betas: BETAS,
    });
  }

  /** Blocks of the message that the channel got last. */
  sentBlocks(): unknown[] | undefined {
    const messages = this.upstream.asked.at(-1)?.body.messages as { content: unknown[] }[] | undefined;
    return messages?.[0]?.content;
  }
}

/** They are uploaded, shown, listed page by page in both directions and deleted. */
export async function expectFiles(stage: AnthropicFiles): Promise<void> {
  const { files } = stage.client().beta;
  const made = [];
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) {
    made.push(await stage.upload(name, PDF, 'application/pdf', { expires_in_seconds: 3_600 }));
  }
  const [first, second, third] = made;
  expect(first).toMatchObject({
    id: expect.stringMatching(/^file_[0-9a-f]{32}$/),
    type: 'file',
    filename: 'a.pdf',
    mime_type: 'application/pdf',
    size_bytes: PDF.length,
    downloadable: false,
  });
  const lasts = Date.parse(first?.expires_at ?? '') - Date.parse(first?.created_at ?? '');
  expect(Math.abs(lasts - 3_600_000)).toBeLessThan(60_000);
  const listed: unknown[] = [];
  for await (const { id } of files.list({ limit: 1 })) listed.push(id);
  expect(listed).toEqual(made.map(({ id }) => id).toReversed());
  const few = await files.list({ ids: [first?.id ?? '', third?.id ?? '', 'file_unknown'] });
  expect(few.data.map(({ id }) => id)).toEqual([third?.id, first?.id]);
  // Earlier SDKs go on by the last or the first id.
  const page = async (query: string) => {
    const answer = await fetch(`${stage.gateway.url}/v1/files?beta=true&${query}`, {
      headers: { 'x-api-key': stage.gateway.key, 'anthropic-version': '2023-06-01' },
    });
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  expect(await page(`limit=1&after_id=${third?.id}`)).toMatchObject({
    data: [second],
    first_id: second?.id,
    last_id: second?.id,
    has_more: true,
  });
  expect(await page(`limit=1&before_id=${first?.id}`)).toMatchObject({ data: [second], has_more: true });
  expect(await page(`limit=2&before_id=${first?.id}`)).toMatchObject({
    data: [third, second],
    has_more: false,
  });
  expect(await page('limit=1001')).toMatchObject({
    status: 400,
    error: { type: 'invalid_request_error' },
  });
  const id = first?.id ?? '';
  expect(await files.retrieveMetadata(id)).toEqual(first);
  await expect(files.download(id)).rejects.toMatchObject({
    status: 400,
    error: { error: { details: { error_code: 'file_not_downloadable' } } },
  });
  expect(await stage.google().files.get({ name: `files/${id}` })).toMatchObject({ displayName: 'a.pdf' });
  expect(await files.delete(id)).toEqual({ id, type: 'file_deleted' });
  await expect(files.retrieveMetadata(id)).rejects.toMatchObject({
    status: 404,
    error: { type: 'error', error: { type: 'not_found_error' } },
  });
  for (const other of [second, third]) await files.delete(other?.id ?? '');
}

/** They reach channels of this protocol and of others as data, and hold what that would. */
export async function expectMessages(stage: AnthropicFiles): Promise<void> {
  stage.useChannel('anthropic');
  const { id } = await stage.upload('a.pdf');
  const text = await stage.upload('a.txt', Buffer.from('A "text".'), 'text/plain');
  const document = {
    type: 'document' as const,
    source: {
      type: 'base64' as const,
      media_type: 'application/pdf' as const,
      data: PDF.toString('base64'),
    },
  };
  await stage.say([{ type: 'document', source: nameFile(id) }]);
  expect(stage.sentBlocks()).toEqual([document]);
  await stage.say([document]);
  expect(stage.holds[0]).toBe(stage.holds[1]);
  await stage.say([{ type: 'document', title: 'T', source: nameFile(text.id) }]);
  expect(stage.sentBlocks()).toEqual([
    {
      type: 'document',
      title: 'T',
      source: { type: 'text', media_type: 'text/plain', data: 'A "text".' },
    },
  ]);
  stage.upstream.answer = { body: JSON.stringify({ input_tokens: 7 }) };
  const counted = await stage.client().beta.messages.countTokens({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'document', source: nameFile(id) }] }],
    betas: BETAS,
  });
  expect(counted.input_tokens).toBe(7);
  expect(stage.sentBlocks()).toEqual([document]);
  stage.useChannel('gemini');
  await stage.say([{ type: 'document', source: nameFile(id) }]);
  expect(JSON.stringify(stage.upstream.asked.at(-1)?.body)).toContain(PDF.toString('base64'));
  for (const file of [id, text.id]) await stage.client().beta.files.delete(file);
}

/** They are to another wallet what unknown ones are. */
export async function expectIsolation(stage: AnthropicFiles): Promise<void> {
  const { id } = await stage.upload('a.pdf');
  const unknown = `file_${'0'.repeat(32)}`;
  const stranger = stage.client(stage.otherKey).beta.files;
  for (const use of [
    (file: string) => stranger.retrieveMetadata(file),
    (file: string) => stranger.download(file),
    (file: string) => stranger.delete(file),
    (file: string) => stage.say([{ type: 'image', source: nameFile(file) }], stage.otherKey),
  ]) {
    const failures = await Promise.all(
      [id, unknown].map((file) => use(file).catch(({ status, error }: APIError) => [status, error])),
    );
    const [foreign, missing] = failures.map((failure) =>
      JSON.stringify(failure).replaceAll(/"request_id":"[^"]*"|file_[0-9a-f]{32}/g, ''),
    );
    expect(foreign).toBe(missing);
    expect(foreign).toMatch(/^\[404,/);
  }
  expect((await stranger.list()).data).toEqual([]);
  expect((await stranger.list({ ids: [id] })).data).toEqual([]);
  expect(stage.upstream.asked).toEqual([]);
  await stage.client().beta.files.delete(id);
}

function nameFile(file_id: string) {
  return { type: 'file' as const, file_id };
}
