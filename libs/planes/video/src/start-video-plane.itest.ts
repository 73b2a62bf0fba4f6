import { createServer } from 'node:net';
import { newId, readEnvironment } from '@mg/contract';
import { WalletBatches } from '@mg/persistence/gateway';
import { migrateDatabase, PLANE_ROLES } from '@mg/persistence/migrate';
import { deriveSecretKey, openDatabase, readRedisSecret, StoredFiles } from '@mg/persistence/video';
import { createLogger, type RunningPlane } from '@mg/runtime';
import { seedPayer, startFakeS3, startTestServices, type TestServices } from '@mg/testkit';
import { createResultStore, DRIVE, JobHttp, RedisScope, signJob, TASK_QUEUE } from '@mg/transport';
import { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startVideoPlane } from './start-video-plane.js';

const WITHIN = { timeout: 30_000 };
const ENCRYPTION_KEY = 'encryption-key-of-the-video-tests';
const ROLE_PASSWORD = 'password-of-the-worker-role';

describe('the video worker', () => {
  let services: TestServices;
  let plane: RunningPlane | undefined;
  beforeAll(async () => {
    services = await startTestServices();
  });
  afterEach(async () => {
    await plane?.close();
    plane = undefined;
  });
  afterAll(() => services.stop());

  const start = async (variables: Record<string, string> = {}) => {
    const environment = readEnvironment({
      HOST: '127.0.0.1',
      VIDEO_WORKER_PORT: '0',
      DATABASE_URL: services.databaseUrl,
      REDIS_URL: services.redisUrl,
      ENCRYPTION_KEY,
      METRICS_ENABLED: 'true',
      ...variables,
    });
    plane = await startVideoPlane({ environment, logger: createLogger({ plane: 'test', level: 'silent' }) });
    return plane.address ?? '';
  };

  /** The queue as the worker's installation has it. */
  const openQueue = async () => {
    const options = { url: services.databaseUrl, poolSize: 1, applicationName: 'test' };
    const database = await openDatabase(options);
    const secret = await readRedisSecret(database);
    await database.destroy();
    const scope = new RedisScope({ redisUrl: services.redisUrl, secret, onRefused: () => undefined });
    return {
      scope,
      queue: new Queue(TASK_QUEUE, { connection: { url: services.redisUrl }, prefix: scope.prefix }),
    };
  };

  it('is alive and ready', async () => {
    const address = await start();
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });

  it('takes jobs, counts them, and keeps the reason of one that fails', async () => {
    const address = await start();
    const { queue, scope } = await openQueue();
    await queue.add(DRIVE, signJob(scope, DRIVE, newId()));
    const odd = await queue.add('odd', { taskId: 'x', signature: scope.digest(TASK_QUEUE, 'odd', 'x') });
    await vi.waitFor(async () => {
      const text = await readMetrics(address);
      expect(text).toMatch(/video_jobs_total\{outcome="completed",plane="video-worker"\} 1/);
      expect(text).toMatch(/video_jobs_total\{outcome="failed",plane="video-worker"\} 1/);
      expect(text).toMatch(/video_queue_jobs\{state="failed",plane="video-worker"\} 1/);
      expect(text).toMatch(/video_tasks\{state="running",plane="video-worker"\} 0/);
      expect(text).toMatch(/video_oldest_due_seconds\{plane="video-worker"\} 0/);
      expect(text).toMatch(/video_webhooks_waiting\{plane="video-worker"\} 0/);
      expect(text).toMatch(/video_webhook_oldest_seconds\{plane="video-worker"\} 0/);
    }, WITHIN);
    expect((await queue.getJob(odd.id ?? ''))?.failedReason).toContain('no jobs of kind odd');
    await queue.close();
  });

  it('F12: drops jobs that nobody of its installation signed', async () => {
    const address = await start();
    const { queue, scope } = await openQueue();
    const { signature } = signJob(scope, DRIVE, newId());
    await queue.add(DRIVE, { taskId: newId() });
    await queue.add(DRIVE, { taskId: newId(), signature });
    await vi.waitFor(async () => {
      const text = await readMetrics(address);
      expect(text).toMatch(/redis_messages_refused_total\{reason="malformed",plane="video-worker"\} 1/);
      expect(text).toMatch(/redis_messages_refused_total\{reason="forged",plane="video-worker"\} 1/);
    }, WITHIN);
    await queue.close();
  });

  it('is alive but not ready while Redis is away, and closes all the same', async () => {
    const address = await start({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    expect((await fetch(`${address}/readyz`)).status).toBe(503);
  });

  it('says what of the environment it cannot do without', async () => {
    await expect(start({ ENCRYPTION_KEY: '' })).rejects.toThrow(
      'The video worker needs DATABASE_URL, REDIS_URL and ENCRYPTION_KEY.',
    );
    await expect(start({ RESULT_STORE: 's3', S3_BUCKET: 'videos' })).rejects.toThrow(
      'RESULT_STORE is s3, so S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY must be set too.',
    );
  });

  it('keeps results of batches in the result store, and in Postgres while that is away', async () => {
    const s3 = await startFakeS3();
    const bucket = {
      RESULT_STORE: 's3',
      S3_ENDPOINT: s3.url,
      S3_BUCKET: 'results',
      S3_ACCESS_KEY_ID: 'AKID',
      S3_SECRET_ACCESS_KEY: 'canary-secret',
    };
    const { databaseUrl: url } = services;
    await migrateDatabase({ url, passwords: { 'video-worker': ROLE_PASSWORD } });
    const database = await openDatabase({ url, poolSize: 2, applicationName: 'test' });
    const { walletId } = await seedPayer(database, { balance: 1n });
    const key = deriveSecretKey(ENCRYPTION_KEY);
    const http = new JobHttp('test');
    const store = createResultStore(readEnvironment(bucket), http);
    const files = new StoredFiles(database, key, { keepDays: 1, store });
    /** A batch whose day is over, so that its results are written at once. */
    const finish = async (id: string) => {
      const batches = new WalletBatches(database, key);
      const caller = { walletId, tokenId: newId(), keyHash: 'k' };
      const asked = { id, ...caller, api: 'batch', endpoint: '/v1/embeddings', details: {} } as const;
      await batches.createWithLines({ ...asked, windowSeconds: 0 }, [
        { tag: 'mine', body: Buffer.from('{}') },
      ]);
      return vi.waitFor(async () => {
        const batch = await batches.find(walletId, 'batch', id);
        expect(batch?.endedAt).toBeDefined();
        const file = await files.find(walletId, batch?.errorFileId ?? '');
        if (!file) throw new Error('the batch has no results');
        const pieces: Buffer[] = [];
        for await (const piece of files.read(walletId, file)) pieces.push(piece);
        return { file, text: Buffer.concat(pieces).toString() };
      }, WITHIN);
    };
    // A worker that died before it could say that its object is whole.
    await database.query(
      `insert into stored_file (wallet_id, id, purpose, filename, bytes, expires_at, object_name, sealed_key)
       values ($1, 'file-a-error', 'batch_output', '', 0, now() + interval '1 day', 'file_lost.sealed', '')`,
      [walletId],
    );
    const role = new URL(url);
    role.username = PLANE_ROLES['video-worker'];
    role.password = ROLE_PASSWORD;
    await start({ ...bucket, DATABASE_URL: role.href });
    const kept = await finish('batch_a');
    expect(kept.text).toContain('"custom_id":"mine"');
    expect([...s3.objects.keys()]).toEqual([`/results/${kept.file.objectName}`]);
    expect(await database.query('select name from discarded_object')).toEqual([{ name: 'file_lost.sealed' }]);
    s3.failsWith = 503;
    const fallen = await finish('batch_b');
    expect(fallen.text).toContain('"custom_id":"mine"');
    expect(fallen.file.objectName).toBeUndefined();
    await Promise.all([database.destroy(), http.close(), s3.close()]);
  });

  it('names the variable of a port that is in use', async () => {
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as { port: number };
    await expect(start({ VIDEO_WORKER_PORT: String(port) })).rejects.toThrow(
      `Port ${port} is in use: stop what listens there or set VIDEO_WORKER_PORT to another port.`,
    );
    stranger.close();
  });
});

async function readMetrics(address: string): Promise<string> {
  return (await fetch(`${address}/metrics`)).text();
}
