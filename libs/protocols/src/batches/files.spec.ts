import { describe, expect, it } from 'vitest';
import type { FormPart } from '../exchange/exchange.js';
import { readAnthropicFile } from './anthropic-files.js';
import { readFileUpload, writeFile } from './files.js';

const field = (name: string, value: string): FormPart => ({ name, bytes: Buffer.from(value) });
const FILE: FormPart = {
  name: 'file',
  filename: 'in.jsonl',
  contentType: 'application/jsonl',
  bytes: Buffer.from('{}\n'),
};

const refuse = (...parts: FormPart[]) => {
  try {
    readFileUpload(parts);
    return 'taken';
  } catch (error) {
    return (error as { param?: string }).param;
  }
};

describe('a file that is sent', () => {
  it('has a name, a purpose and an end', () => {
    const upload = readFileUpload([
      field('purpose', 'batch'),
      field('expires_after[anchor]', 'created_at'),
      field('expires_after[seconds]', '3600'),
      FILE,
    ]);
    expect(upload).toMatchObject({ filename: 'in.jsonl', purpose: 'batch', expiresInSeconds: 3_600 });
    expect(upload.bytes.toString()).toBe('{}\n');
    expect(readFileUpload([FILE, field('purpose', 'batch')]).expiresInSeconds).toBeUndefined();
  });

  it('is of the type that its sender or its name says', () => {
    const typeOf = (facts: Partial<FormPart>) =>
      readFileUpload([field('purpose', 'user_data'), { ...FILE, ...facts }]).mimeType;
    expect(typeOf({})).toBe('application/jsonl');
    expect(typeOf({ contentType: 'application/octet-stream', filename: 'a.PDF' })).toBe('application/pdf');
    expect(typeOf({ contentType: 'no type\r\n', filename: 'a.bin' })).toBeUndefined();
  });

  it.each([
    ['purpose', [FILE]],
    ['purpose', [FILE, field('purpose', 'fine-tune')]],
    ['file', [field('purpose', 'batch')]],
    ['file', [field('purpose', 'batch'), field('file', 'a text')]],
    ['file', [field('purpose', 'vision'), { ...FILE, bytes: Buffer.alloc(15_000_001) }]],
    ['file', [field('purpose', 'batch'), { ...FILE, bytes: Buffer.alloc(0) }]],
    ['expires_after.anchor', [FILE, field('purpose', 'batch'), field('expires_after[seconds]', '3600')]],
    [
      'expires_after.seconds',
      [
        FILE,
        field('purpose', 'batch'),
        field('expires_after[anchor]', 'created_at'),
        field('expires_after[seconds]', '60'),
      ],
    ],
  ])('is refused by the name of its field: %s', (param, parts) => {
    expect(refuse(...parts)).toBe(param);
  });
});

it('a file is shown as OpenAI shows one', () => {
  const at = new Date(1_700_000_000_500);
  const kept = { id: 'file-1', purpose: 'batch', filename: 'a', bytes: 3, createdAt: at, expiresAt: at };
  expect(writeFile(kept)).toEqual({
    id: 'file-1',
    object: 'file',
    bytes: 3,
    created_at: 1_700_000_000,
    expires_at: 1_700_000_000,
    filename: 'a',
    purpose: 'batch',
    status: 'processed',
    status_details: null,
  });
});

describe("a file that a client of Anthropic's API sends", () => {
  it('has a name, and an end if wanted', () => {
    expect(readAnthropicFile([FILE, field('expires_in_seconds', '7776000')])).toMatchObject({
      filename: 'in.jsonl',
      mimeType: 'application/jsonl',
      expiresInSeconds: 7_776_000,
    });
    expect(readAnthropicFile([FILE]).expiresInSeconds).toBeUndefined();
  });

  it.each([
    ['file', []],
    ['file', [field('file', 'a text')]],
    ['file', [{ ...FILE, bytes: Buffer.alloc(15_000_001) }]],
    ['expires_in_seconds', [FILE, field('expires_in_seconds', '60')]],
    ['expires_in_seconds', [FILE, field('expires_in_seconds', 'soon')]],
  ])('is refused by the name of its field: %s', (param, parts: FormPart[]) => {
    expect(() => readAnthropicFile(parts)).toThrow(expect.objectContaining({ param }));
  });
});
