import { describe, expect, it } from 'vitest';
import { readUploadCompletion, readUploadPart, readUploadRequest } from './uploads.js';

const body = (fields: object) => Buffer.from(JSON.stringify(fields));
const REQUEST = { filename: 'in.jsonl', purpose: 'batch', bytes: 3, mime_type: 'text/jsonl' };
const refusal = (param: string) => expect.objectContaining({ code: 'invalid_request', param });
const data = { name: 'data', filename: 'part', bytes: Buffer.from('abc') };

describe('an upload', () => {
  it('is read with the time that its file is kept', () => {
    const expires_after = { anchor: 'created_at', seconds: 7_200 };
    const read = {
      filename: 'in.jsonl',
      purpose: 'batch',
      mimeType: 'text/jsonl',
      bytes: 3,
      keepSeconds: 7_200,
    };
    expect(readUploadRequest(body({ ...REQUEST, expires_after }))).toEqual(read);
  });

  it('of what calls name is no larger than a request', () => {
    const read = (bytes: number) => readUploadRequest(body({ ...REQUEST, purpose: 'user_data', bytes }));
    expect(read(15_000_000)).toMatchObject({ purpose: 'user_data', bytes: 15_000_000 });
    expect(() => read(15_000_001)).toThrow(expect.objectContaining({ status: 413, param: 'bytes' }));
  });

  it.each([
    ['filename', { filename: '' }],
    ['filename', { filename: 'x'.repeat(257) }],
    ['purpose', { purpose: 'assistants' }],
    ['bytes', { bytes: 0 }],
    ['bytes', { bytes: '3' }],
    ['bytes', { bytes: 200 * 1024 * 1024 + 1 }],
    ['mime_type', { mime_type: undefined }],
    ['expires_after.seconds', { expires_after: { anchor: 'created_at', seconds: 1 } }],
  ])('is refused by the name of the field: %s', (param, change) => {
    expect(() => readUploadRequest(body({ ...REQUEST, ...change }))).toThrow(refusal(param));
  });

  it.each([
    ['data', []],
    ['data', [{ ...data, bytes: Buffer.alloc(0) }]],
    ['data', [{ name: 'data', bytes: Buffer.from('abc') }]],
    ['file', [{ ...data, name: 'file' }]],
    ['purpose', [data, { name: 'purpose', bytes: Buffer.from('batch') }]],
  ])('takes one file a part: %s', (param, parts) => {
    expect(readUploadPart([data])).toBe(data.bytes);
    expect(() => readUploadPart(parts)).toThrow(refusal(param));
  });

  it.each([
    ['part_ids', {}],
    ['part_ids', { part_ids: [] }],
    ['part_ids', { part_ids: ['a', 'a'] }],
    ['part_ids[0]', { part_ids: [1] }],
    ['part_ids', { part_ids: Array.from({ length: 1_001 }, (_, at) => String(at)) }],
    ['md5', { part_ids: ['a'], md5: 'abc' }],
  ])('is complete with a list of its parts: %s', (param, completion) => {
    expect(() => readUploadCompletion(body(completion))).toThrow(refusal(param));
  });
});
