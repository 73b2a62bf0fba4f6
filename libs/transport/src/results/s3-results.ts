import type { Readable } from 'node:stream';
import { omitUndefined } from '@mg/contract';
import { AwsClient } from 'aws4fetch';
import type { JobHttp, OpenedFile } from '../jobs/job-http.js';
import { request } from 'undici';
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
const MAX_ERROR_BYTES = 4_096;

/** Results in a bucket of S3 or of anything that speaks its API; requests are signed, bodies are streamed. */
export class S3Results implements ResultStore {
  readonly #client: AwsClient;

  constructor(
    private readonly settings: S3Settings,
    private readonly http: JobHttp,
  ) {
    const { accessKeyId, secretAccessKey, region } = settings;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  }

  async keep(name: string, contentType: string, body: Readable, size: number | undefined): Promise<void> {
    if (size === undefined) throw new Error('S3 takes no file whose length is unknown.');
    const url = this.#urlOf(name);
    const headers = await this.#sign(url, 'PUT', { 'content-type': contentType });
    const reply = await request(url, {
      method: 'PUT',
      headers: { ...headers, 'content-length': String(size) },
      body,
      signal: AbortSignal.timeout(TIMEOUTS.totalMs),
    });
    await reply.body.dump({ limit: MAX_ERROR_BYTES });
    if (reply.statusCode >= 300) throw new Error(`S3 answered with status ${reply.statusCode}`);
  }

  async open(name: string, { range, ifRange }: RangeRequest): Promise<OpenedFile> {
    const url = this.#urlOf(name);
    const headers = await this.#sign(url, 'GET', {
      ...omitUndefined({ range, 'if-range': ifRange }),
    });
    return this.http.open({ method: 'GET', url, headers }, TIMEOUTS, false);
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
