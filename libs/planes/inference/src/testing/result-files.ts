import { Readable } from 'node:stream';
import { newId, readEnvironment } from '@mg/contract';
import { type FakeS3, startFakeS3 } from '@mg/testkit';
import { createResultStore, JobHttp, type ResultStore } from '@mg/transport';
import type { DataSource } from 'typeorm';
import { expect } from 'vitest';
import type { SmallGateway } from './small-gateway.js';

const RESULT = '{"response":{"said":"a result"}}';
/** What reads the results of a batch, in each of the three APIs. */
const READERS = [
  '/v1/files/file-results/content',
  '/v1beta/files/file-results:download',
  '/v1beta/batches/googles',
  '/v1/messages/batches/msgbatch_a/results',
] as const;

/** A result store in a bucket. */
export class ResultBucket {
  private constructor(
    readonly s3: FakeS3,
    readonly store: ResultStore | undefined,
    private readonly http: JobHttp,
  ) {}

  static async open(): Promise<ResultBucket> {
    const s3 = await startFakeS3();
    const http = new JobHttp('bucket');
    const environment = readEnvironment({
      RESULT_STORE: 's3',
      S3_ENDPOINT: s3.url,
      S3_BUCKET: 'results',
      S3_ACCESS_KEY_ID: 'AKID',
      S3_SECRET_ACCESS_KEY: 'canary-secret',
    });
    return new ResultBucket(s3, createResultStore(environment, http), http);
  }

  async close(): Promise<void> {
    await this.http.close();
    await this.s3.close();
  }
}

interface ResultStage {
  readonly bucket: ResultBucket;
  readonly gateway: SmallGateway;
  readonly database: DataSource;
  readonly walletId: string;
  /** A key of another wallet. */
  readonly otherKey: string;
}

/** Results in the store are read by every API, by their wallet alone, and are a 503 while the store is away. */
export async function expectResults(stage: ResultStage): Promise<void> {
  const { bucket, gateway, otherKey } = stage;
  await makeResults(stage);
  expect(bucket.s3.objects.size).toBe(1);
  for (const path of READERS) {
    const answer = await get(gateway, path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('a result');
    const foreign = await get(gateway, path, otherKey);
    expect([403, 404]).toContain(foreign.status);
    expect(await foreign.text()).not.toContain('a result');
  }
  bucket.s3.failsWith = 500;
  for (const path of READERS) {
    const answer = await get(gateway, path);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('10');
    expect(await answer.text()).toContain('The content of this file cannot be read at the moment.');
  }
  bucket.s3.failsWith = undefined;
  await gateway.context.files.delete(stage.walletId, 'file-results');
}

function get({ url, key }: SmallGateway, path: string, apiKey = key): Promise<Response> {
  // Each API's own header: the paths of two of them are shared.
  const headers = path.startsWith('/v1beta')
    ? { 'x-goog-api-key': apiKey }
    : { authorization: `Bearer ${apiKey}` };
  return fetch(url + path, { headers });
}

async function makeResults({ gateway, database, walletId }: ResultStage): Promise<void> {
  const file = { id: 'file-results', purpose: 'batch_output', filename: 'out.jsonl' };
  await gateway.context.files.writeResults(
    walletId,
    file,
    () => Readable.from([Buffer.from(`${RESULT}\n`)]),
    (step) => database.transaction(step),
  );
  for (const [id, api] of [
    ['googles', 'google_batch'],
    ['msgbatch_a', 'message_batch'],
  ] as const) {
    const batch = { id, api, walletId, tokenId: newId(), keyHash: 'k', endpoint: '/', details: {} };
    await gateway.context.batches.createWithLines({ ...batch, windowSeconds: 60 }, []);
    await database.query(
      `update batch set state = 'completed', ended_at = now(), output_file_id = $2 where id = $1`,
      [id, file.id],
    );
  }
}
