import type { CallerToken } from '@mg/contract';
import type { FileFacts } from '@mg/persistence/gateway';
import {
  type ClientProtocolName,
  findChatProtocol,
  type FileReferences,
  GEMINI_NAMES,
  imageFiles,
  parseRequestBody,
  SNAKE_NAMES,
} from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { FreeShares } from '../access/fair-share.js';
import type { BodyLease } from '../edge/body-budget.js';
import { inlineStoredFiles } from './inline-stored-files.js';

const BASE = 'https://gateway.example.com';
const CONTENT = Buffer.from('%PDF-1.7');
const DATA = CONTENT.toString('base64');
const ID = 'a'.repeat(32);
const URI = `${BASE}/v1beta/files/${ID}`;

let taken = 0;
let mimeType = 'application/pdf';
let stored: Buffer = CONTENT;
const lease = {
  take: (bytes: number) => void (taken += bytes),
  giveBack: (bytes: number) => void (taken -= bytes),
} as unknown as BodyLease;
const caller = { id: 't', walletId: 'w' } as CallerToken;

/** Inlines the files of a body, of which the wallet has those with these ids. */
async function inline(
  body: string,
  ids: readonly string[] = [ID],
  purpose = 'user_data',
  protocol: ClientProtocolName = 'gemini-generate',
  references: FileReferences | undefined = findChatProtocol(protocol).files,
) {
  taken = 0;
  const request = { routeOptions: { config: { protocol } } } as unknown as FastifyRequest;
  const files = {
    findAll: async (_wallet: string, asked: readonly string[]) =>
      ids
        .filter((id) => asked.includes(id))
        .map((id): Partial<FileFacts> => ({
          id,
          purpose,
          filename: '',
          mimeType,
          bytes: stored.length,
        })),
    // Pieces end in the middle of a group of base64.
    read: async function* () {
      yield stored.subarray(0, 4);
      yield stored.subarray(4);
    },
  };
  const gateway = {
    publicUrl: BASE,
    files,
    funds: { need: async () => undefined },
    shares: new FreeShares(),
  } as unknown as Parameters<typeof inlineStoredFiles>[3];
  const bytes = Buffer.from(body);
  const asked = {
    body: bytes,
    parsed: parseRequestBody(bytes, protocol === 'gemini-generate' ? GEMINI_NAMES : SNAKE_NAMES),
    files: references,
  };
  const inlined = await inlineStoredFiles(asked, request, { caller, lease }, gateway);
  return inlined?.toString();
}

const withParts = (...parts: object[]) => JSON.stringify({ contents: [{ parts }] });
const fileOf = (fileUri: string) => ({ fileData: { fileUri } });

describe('files that a request names', () => {
  it('become data, wherever they stand, and nothing else changes', async () => {
    const body = (part: string) =>
      `{"systemInstruction":{"parts":{${part}}},"contents":[{"role":"user","parts":[{"text":"${DATA}"},` +
      `{${part},"videoMetadata":{"fps":1}},{"functionCall":{"name":"f","args":{"id":12345678901234567890}}},` +
      `{"functionResponse":{"name":"f","response":{"fileData":{"fileUri":"${URI}"}},"parts":[{${part}}]}}]}]}`;
    const named = body(`"fileData":{"fileUri":"${URI}","mimeType":"application/x-pdf"}`);
    const expected = JSON.parse(
      body(`"inlineData":{"mimeType":"application/x-pdf","data":"${DATA}"}`),
    ) as object;
    const inlined = await inline(named);
    expect(JSON.parse(inlined ?? '')).toEqual(expected);
    expect(inlined).toContain('"id":12345678901234567890');
    expect(taken).toBe(named.length + 3 * DATA.length);
  });

  it.each([
    ['a file of the provider', 'https://generativelanguage.googleapis.com/v1beta/files/abc123def456'],
    [
      'a file of the provider, named like one of ours',
      `https://generativelanguage.googleapis.com/v1beta/files/${ID}`,
    ],
    ['a file of another gateway', 'https://other.example.com/v1beta/files/paper'],
    ['a page', 'https://example.com/paper.pdf'],
    ['an address that only begins like ours', `${BASE}.example.org/v1beta/files/paper`],
    ['a bucket', 'gs://bucket/v1beta/files/paper'],
  ])('leave %s alone', async (_what, uri) => {
    expect(await inline(withParts(fileOf(uri)), ['paper', ID])).toBeUndefined();
  });

  it.each([
    ['unknown', [] as string[], 'user_data'],
    ['made for another purpose', [ID], 'batch'],
  ])('are refused where one is %s, by its place', async (_why, ids, purpose) => {
    await expect(inline(withParts({ text: 'a' }, fileOf(URI)), ids, purpose)).rejects.toMatchObject({
      status: 403,
      param: 'contents[0].parts[1].fileData.fileUri',
    });
  });

  it('are refused where they are many', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `paper-${index}`);
    const parts = ids.map((id) => fileOf(`${BASE}/v1/files/${id}`));
    await expect(inline(withParts(...parts), ids)).rejects.toMatchObject({
      status: 400,
      param: 'contents[0].parts[100].fileData.fileUri',
    });
    expect(await inline(withParts(...parts.slice(1)), ids)).toContain('inlineData');
  });

  it('are refused where one is named in many places, before anything is read', async () => {
    const parts = Array.from({ length: 1_001 }, () => fileOf(URI));
    await expect(inline(withParts(...parts))).rejects.toMatchObject({
      status: 400,
      param: 'contents[0].parts[1000].fileData.fileUri',
    });
    expect(await inline(withParts(...parts.slice(1)))).toContain('inlineData');
  });

  it('are left beside data of their own, which the provider refuses', async () => {
    const both = { ...fileOf(URI), inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    expect(await inline(withParts(both))).toBeUndefined();
  });
});

describe("files that OpenAI's requests name", () => {
  const OPENAI_ID = `file-${ID}`;
  const URL = `data:application/pdf;base64,${DATA}`;
  const change = async (protocol: ClientProtocolName, body: object, ids = [OPENAI_ID]) => {
    const inlined = await inline(JSON.stringify(body), ids, 'vision', protocol);
    return inlined === undefined ? undefined : (JSON.parse(inlined) as unknown);
  };

  it('become data in chats', async () => {
    const withFile = (file: object) => ({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: OPENAI_ID },
            { type: 'file', file },
          ],
        },
      ],
    });
    expect(await change('openai-chat', withFile({ file_id: OPENAI_ID }))).toEqual(
      withFile({ filename: OPENAI_ID, file_data: URL }),
    );
    expect(await change('openai-chat', withFile({ file_id: OPENAI_ID, filename: 'a.pdf' }))).toEqual(
      withFile({ filename: 'a.pdf', file_data: URL }),
    );
    expect(
      await change('openai-chat', withFile({ file_id: OPENAI_ID, file_data: 'data:,' })),
    ).toBeUndefined();
    expect(await change('openai-chat', withFile({ file_id: 'file-6F2ksmvXxt4VdoqmHRw6kL' }))).toBeUndefined();
  });

  it('become data in the Responses API, in messages and in what tools gave back', async () => {
    const withParts = (file: object, image: object, screen: object) => ({
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_file', ...file },
            { type: 'input_image', detail: 'low', ...image },
          ],
        },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', ...image }] },
        { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', ...screen } },
        { type: 'function_call_output', call_id: 'c', output: OPENAI_ID },
      ],
    });
    const named = { file_id: OPENAI_ID };
    expect(await change('openai-responses', withParts(named, named, named))).toEqual(
      withParts({ filename: OPENAI_ID, file_data: URL }, { image_url: URL }, { image_url: URL }),
    );
    await expect(change('openai-responses', withParts(named, named, named), [])).rejects.toMatchObject({
      status: 400,
      param: 'input[0].content[0].file_id',
    });
  });

  it('become data in edits of images', async () => {
    const named = { file_id: OPENAI_ID };
    const edit = (image: object) => ({ prompt: 'a', images: [{ image_url: URL }, image], mask: image });
    const change = async (ids: readonly string[]) =>
      inline(JSON.stringify(edit(named)), ids, 'vision', 'openai-chat', imageFiles);
    expect(JSON.parse((await change([OPENAI_ID])) ?? '')).toEqual(edit({ image_url: URL }));
    await expect(change([])).rejects.toMatchObject({ status: 400, param: 'images[1].file_id' });
  });
});

describe("files that Anthropic's requests name", () => {
  const OWN_ID = `file_${ID}`;
  const named = { type: 'file', file_id: OWN_ID };
  const data = { type: 'base64', media_type: 'application/pdf', data: DATA };
  const withBlocks = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
  const change = async (body: object, ids = [OWN_ID]) => {
    const inlined = await inline(JSON.stringify(body), ids, 'user_data', 'anthropic-messages');
    return inlined === undefined ? undefined : (JSON.parse(inlined) as unknown);
  };
  const store = (content: Buffer, type: string) => {
    stored = content;
    mimeType = type;
  };
  beforeEach(() => store(CONTENT, 'application/pdf'));

  it('become data in documents and images, also in what tools gave back and in a document of blocks', async () => {
    const blocks = (source: object) =>
      withBlocks(
        { type: 'document', title: 'a', citations: { enabled: true }, source },
        { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }] },
        { type: 'document', source: { type: 'content', content: [{ type: 'image', source }] } },
        { type: 'text', text: OWN_ID },
      );
    expect(await change(blocks(named))).toEqual(blocks(data));
    const foreign = { type: 'file', file_id: 'file_011CNha8iCJcU1wXNR6q4V8w' };
    expect(await change(blocks(foreign))).toBeUndefined();
  });

  it('stand as texts in documents where they are such, whatever characters they hold', async () => {
    const text = 'añ"\\\n\u0001😀 漢';
    store(Buffer.from(text), 'text/markdown; charset=utf-8');
    const document = (source: object) => withBlocks({ type: 'document', source });
    const source = { type: 'text', media_type: 'text/plain', data: text };
    expect(await change(document(named))).toEqual(document(source));
    store(Buffer.from([0x61, 0xff, 0x62]), 'text/plain');
    expect(await change(document(named))).toEqual(document({ ...source, data: 'a\ufffdb' }));
  });

  it('are refused where one is unknown or goes to a container, and where a text becomes too long', async () => {
    const upload = withBlocks({ type: 'container_upload', file_id: OWN_ID });
    await expect(change(upload)).rejects.toMatchObject({
      status: 400,
      param: 'messages[0].content[0].type',
    });
    const document = withBlocks({ type: 'text', text: 'a' }, { type: 'document', source: named });
    await expect(change(document, [])).rejects.toMatchObject({
      status: 404,
      param: 'messages[0].content[1].source.file_id',
    });
    // Six characters for each byte.
    store(Buffer.alloc(4_000_000, 1), 'text/plain');
    await expect(change(document)).rejects.toMatchObject({ status: 413 });
  });
});
