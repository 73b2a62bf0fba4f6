import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FakeJob } from './job-store.js';

/** Bytes of a job's video: the head of an MP4 and a text, the same whenever they are asked for. */
export function writeFakeVideo(job: Pick<FakeJob, 'id'>): Buffer {
  const head = Buffer.from('\0\0\0\u0018ftypisom\0\0\u0002\0isommp42', 'latin1');
  return Buffer.concat([head, Buffer.from(`video of ${job.id}\n`.repeat(64))]);
}

/** Serves a job's video, whole or a range of it, as storage servers do. */
export function serveVideo(request: IncomingMessage, response: ServerResponse, job: FakeJob): void {
  const bytes = writeFakeVideo(job);
  const headers = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes', etag: `"${job.id}"` };
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  if (!range) {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return;
  }
  const start = Number(range[1]);
  const end = Math.min(range[2] === '' ? bytes.length - 1 : Number(range[2]), bytes.length - 1);
  if (start > end) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` });
    response.end();
    return;
  }
  const part = bytes.subarray(start, end + 1);
  response.writeHead(206, {
    ...headers,
    'content-range': `bytes ${start}-${end}/${bytes.length}`,
    'content-length': part.length,
  });
  response.end(request.method === 'HEAD' ? undefined : part);
}
