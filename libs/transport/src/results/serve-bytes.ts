import { Readable } from 'node:stream';
import type { OpenedFile } from '../jobs/job-http.js';
import { type ByteRange, readRange } from './read-range.js';
import type { RangeRequest } from './result-store.js';

export interface KnownFile {
  readonly size: number;
  readonly contentType: string;
  readonly etag: string;
  /** The bytes of a part, or of everything. */
  read(range: ByteRange | undefined): Readable;
}

/** Answers a request for a file whose bytes are here: whole, in part, or not at all. */
export function serveFile(file: KnownFile, requested: RangeRequest): OpenedFile {
  const { size, contentType, etag } = file;
  const range = readRange(requested, size, etag);
  const common = { 'accept-ranges': 'bytes', etag };
  if (range === 'unsatisfiable') {
    return {
      status: 416,
      headers: { ...common, 'content-range': `bytes */${size}`, 'content-length': '0' },
      body: Readable.from([]),
    };
  }
  if (range === undefined) {
    const headers = { ...common, 'content-type': contentType, 'content-length': String(size) };
    return { status: 200, headers, body: file.read(undefined) };
  }
  return {
    status: 206,
    headers: {
      ...common,
      'content-type': contentType,
      'content-range': `bytes ${range.first}-${range.last}/${size}`,
      'content-length': String(range.last - range.first + 1),
    },
    body: file.read(range),
  };
}

/** The same for bytes in memory. */
export function serveBytes(
  bytes: Buffer,
  contentType: string,
  etag: string,
  requested: RangeRequest,
): OpenedFile {
  const read = (range: ByteRange | undefined) =>
    Readable.from([range ? bytes.subarray(range.first, range.last + 1) : bytes]);
  return serveFile({ size: bytes.length, contentType, etag, read }, requested);
}
