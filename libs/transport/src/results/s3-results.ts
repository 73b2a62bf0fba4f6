import { addAbortSignal, type Readable } from 'node:stream';
import { cutInParts, omitUndefined } from '@mg/contract';
import { AwsClient } from 'aws4fetch';
import { request } from 'undici';
import { createAgent } from '../create-agent.js';
import type { JobHttp, OpenedFile } from '../jobs/job-http.js';
import type { RangeRequest, ResultStore } from './result-store.js';

export interface S3Settings {
  /** Address of the service, such as `https://s3.eu-central-1.amazonaws.com`; the bucket comes behind it. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const TIMEOUTS = { connectMs: 5_000, firstByteMs: 30_000, idleMs: 60_000, totalMs: 15 * 60_000 } as const;
/** For a request whose body is in memory. */
const STEP_WITHIN_MS = 60_000;
/** Of an upload in parts, one in memory at a time: S3 takes none below 5 MiB but for the last, and 10,000 at most. */
const PART_BYTES = 8 * 1024 * 1024;
/** Longer than any answer to a step of an upload. */
const MAX_ANSWER_BYTES = 64 * 1024;

interface NamedFile {
  readonly url: URL;
  readonly contentType: string;
}

interface Step {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable;
  readonly withinMs?: number;
}

interface Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly text: string;
}

/** Results in a bucket of S3 or of anything that speaks its API; requests are signed, bodies are streamed. */
export class S3Results implements ResultStore {
  readonly #client: AwsClient;
  readonly #agent = createAgent();

  constructor(
    private readonly settings: S3Settings,
    private readonly http: JobHttp,
  ) {
    const { accessKeyId, secretAccessKey, region } = settings;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  }

  async keep(name: string, contentType: string, body: Readable, size: number | undefined): Promise<void> {
    const file = { url: this.#urlOf(name), contentType };
    return size === undefined ? this.#keepUnsized(file, body) : this.#put(file, body, size, TIMEOUTS.totalMs);
  }

  async open(name: string, { range, ifRange }: RangeRequest): Promise<OpenedFile> {
    const url = this.#urlOf(name);
    const headers = await this.#sign(url, 'GET', {
      ...omitUndefined({ range, 'if-range': ifRange }),
    });
    return this.http.open({ method: 'GET', url, headers }, TIMEOUTS, false);
  }

  async remove(name: string): Promise<void> {
    const { status } = await this.#ask({ method: 'DELETE', url: this.#urlOf(name) });
    if (status >= 300 && status !== 404) throw refuse(status);
  }

  async #put(
    { url, contentType }: NamedFile,
    body: Readable | Buffer,
    size: number,
    withinMs: number,
  ): Promise<void> {
    const headers = { 'content-type': contentType, 'content-length': String(size) };
    await this.#need({ method: 'PUT', url, headers, body, withinMs });
  }

  /** S3 wants to know the length of a body: one that fits into memory is sent at once, a longer one part by part. */
  async #keepUnsized(file: NamedFile, body: Readable): Promise<void> {
    // A body that is over its time ends in an error, and its upload with it.
    const parts = cutInParts(addAbortSignal(AbortSignal.timeout(TIMEOUTS.totalMs), body), PART_BYTES);
    try {
      const { done, value } = await parts.next();
      const first = done === true ? Buffer.alloc(0) : value;
      if (first.length < PART_BYTES) await this.#put(file, first, first.length, STEP_WITHIN_MS);
      else await this.#keepInParts(file, first, parts);
    } finally {
      body.destroy();
    }
  }

  /** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */
  async #keepInParts(
    { url, contentType }: NamedFile,
    first: Buffer,
    others: AsyncIterable<Buffer>,
  ): Promise<void> {
    const headers = { 'content-type': contentType };
    const begun = await this.#need({ method: 'POST', url: withQuery(url, { uploads: '' }), headers });
    const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(begun.text)?.[1];
    if (uploadId === undefined) throw new Error('S3 began an upload without an id');
    try {
      const tags = [await this.#sendPart(url, uploadId, 1, first)];
      for await (const part of others) tags.push(await this.#sendPart(url, uploadId, tags.length + 1, part));
      const body = Buffer.from(writeCompletion(tags));
      const { text } = await this.#need({ method: 'POST', url: withQuery(url, { uploadId }), body });
      // S3 begins its answer before it is done: a failure stands in the body of a 200.
      if (!text.includes('<CompleteMultipartUploadResult')) throw new Error('S3 did not complete the upload');
    } catch (error) {
      // What this does not reach is left to the bucket's rule for incomplete uploads.
      await this.#ask({ method: 'DELETE', url: withQuery(url, { uploadId }) }).catch(() => undefined);
      throw error;
    }
  }

  /** @returns what S3 knows the part by. */
  async #sendPart(url: URL, uploadId: string, number: number, body: Buffer): Promise<string> {
    const partUrl = withQuery(url, { partNumber: String(number), uploadId });
    const headers = { 'content-length': String(body.length) };
    const { etag } = await this.#need({ method: 'PUT', url: partUrl, headers, body });
    if (etag === undefined) throw new Error('S3 took a part without an ETag');
    return etag;
  }

  /** @throws for every status but 2xx. */
  async #need(step: Step): Promise<Answer> {
    const answer = await this.#ask(step);
    if (answer.status >= 300) throw refuse(answer.status);
    return answer;
  }

  async #ask({ method, url, headers = {}, body, withinMs = STEP_WITHIN_MS }: Step): Promise<Answer> {
    const signed = await this.#sign(url, method, headers);
    const reply = await request(url, {
      method,
      headers: { ...signed, ...headers },
      body: body ?? null,
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(withinMs),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of reply.body) {
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_ANSWER_BYTES) throw new Error(`S3 answered with more than ${MAX_ANSWER_BYTES} bytes`);
      chunks.push(chunk as Buffer);
    }
    const { etag } = reply.headers;
    return {
      status: reply.statusCode,
      etag: typeof etag === 'string' ? etag : undefined,
      text: Buffer.concat(chunks).toString(),
    };
  }

  #urlOf(name: string): URL {
    const { endpoint, bucket } = this.settings;
    return new URL(
      `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}/${encodeURIComponent(name)}`,
    );
  }

  async #sign(url: URL, method: string, headers: Record<string, string>): Promise<Record<string, string>> {
    const signed = await this.#client.sign(url, { method, headers });
    return Object.fromEntries(signed.headers.entries());
  }
}

function refuse(status: number): Error {
  return new Error(`S3 answered with status ${status}`);
}

/** An address with parameters. */
function withQuery(url: URL, parameters: Readonly<Record<string, string>>): URL {
  const asked = new URL(url);
  for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value);
  return asked;
}

function writeCompletion(tags: readonly string[]): string {
  const parts = tags.map(
    (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
