import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const MIN_PART_BYTES = 5 * 1024 * 1024;

/** What S3 was asked, but for the body. */
export interface S3Request {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** An object store with the API of S3, in memory: objects, ranges and uploads in parts. */
export interface FakeS3 {
  readonly url: string;
  /** By their paths, such as `/bucket/name`. */
  readonly objects: Map<string, Buffer>;
  /** Uploads in parts that are neither complete nor called off. */
  readonly uploads: ReadonlyMap<string, unknown>;
  readonly requests: readonly S3Request[];
  /** Answers everything with this status while it is set. */
  failsWith: number | undefined;
  /** Answers nothing while it is set. */
  isHung: boolean;
  /** Answers a completion with an error in a 200, as S3 does when it fails late. */
  failsLate: boolean;
  close(): Promise<void>;
}

export async function startFakeS3(): Promise<FakeS3> {
  const bucket = new FakeBucket();
  const server = createServer((request, response) => {
    bucket.answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(bucket, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

class FakeBucket {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Map<number, Buffer>>();
  readonly requests: S3Request[] = [];
  failsWith: number | undefined;
  isHung = false;
  failsLate = false;

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    this.requests.push({ method, url, headers });
    const body = await buffer(request);
    if (this.isHung) return;
    if (this.failsWith !== undefined) return refuse(response, this.failsWith, 'InternalError');
    const { pathname, searchParams } = new URL(url, 'http://s3');
    if (searchParams.has('uploads')) return this.#begin(response);
    const uploadId = searchParams.get('uploadId');
    if (uploadId !== null) {
      return this.#goOn(
        { method, pathname, uploadId, part: Number(searchParams.get('partNumber')) },
        body,
        response,
      );
    }
    switch (method) {
      case 'PUT':
        if (headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength');
        this.objects.set(pathname, body);
        return void response.writeHead(200, { etag: tagOf(body) }).end();
      case 'DELETE':
        this.objects.delete(pathname);
        return void response.writeHead(204).end();
      default:
        return this.#send(pathname, headers.range, response);
    }
  }

  #begin(response: ServerResponse): void {
    const id = randomUUID();
    this.uploads.set(id, new Map());
    response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  #goOn(
    {
      method,
      pathname,
      uploadId,
      part,
    }: { method: string; pathname: string; uploadId: string; part: number },
    body: Buffer,
    response: ServerResponse,
  ): void {
    const parts = this.uploads.get(uploadId);
    if (!parts) return refuse(response, 404, 'NoSuchUpload');
    if (method === 'PUT') {
      parts.set(part, body);
      return void response.writeHead(200, { etag: tagOf(body) }).end();
    }
    if (method === 'DELETE') {
      this.uploads.delete(uploadId);
      return void response.writeHead(204).end();
    }
    if (this.failsLate) return void response.end('<Error><Code>InternalError</Code></Error>');
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
    const pieces = named.map(([, number]) => parts.get(Number(number)));
    if (named.length === 0 || named.some(([, , tag], at) => tag !== tagOf(pieces[at]))) {
      return refuse(response, 400, 'InvalidPart');
    }
    if (pieces.slice(0, -1).some((piece) => (piece?.length ?? 0) < MIN_PART_BYTES)) {
      return refuse(response, 400, 'EntityTooSmall');
    }
    this.objects.set(pathname, Buffer.concat(pieces.filter((piece) => piece !== undefined)));
    this.uploads.delete(uploadId);
    response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
  }

  #send(pathname: string, range: string | undefined, response: ServerResponse): void {
    const bytes = this.objects.get(pathname);
    if (!bytes) return refuse(response, 404, 'NoSuchKey');
    const etag = tagOf(bytes);
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    if (from === undefined) {
      response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes);
      return;
    }
    const last = to === '' ? bytes.length - 1 : Number(to);
    const part = bytes.subarray(Number(from), last + 1);
    const headers = {
      etag,
      'content-range': `bytes ${from}-${last}/${bytes.length}`,
      'content-length': part.length,
    };
    response.writeHead(206, headers).end(part);
  }
}

function tagOf(bytes: Buffer | undefined): string {
  return `"${createHash('md5')
    .update(bytes ?? '')
    .digest('hex')}"`;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}
