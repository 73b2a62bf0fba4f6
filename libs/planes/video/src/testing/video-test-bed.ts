import { type Limits, newId, type NewTask, readEnvironment, type Task } from '@mg/contract';
import { deriveSecretKey, openDatabase, readRedisSecret, TaskStore } from '@mg/persistence/video';
import { TaskLedger } from '@mg/persistence/billing';
import { WalletTasks } from '@mg/persistence/gateway';
import { migrateDatabase, PLANE_ROLES, sealAllCredentials } from '@mg/persistence/migrate';
import { createLogger, type RunningPlane } from '@mg/runtime';
import {
  buildTaskRequest,
  type FakeJobs,
  type Payer,
  seedPayer,
  startFakeJobs,
  startPreparedServices,
  type TestServices,
} from '@mg/testkit';
import { CANCEL, DRIVE, jobOptions, RedisScope, signJob, TASK_QUEUE } from '@mg/transport';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { startVideoPlane } from '../start-video-plane.js';

const ROLE_PASSWORD = 'password-of-the-worker-role';
export const ENCRYPTION_KEY = 'encryption-key-of-the-video-tests';
export const UPSTREAM_KEY = 'sk-upstream-canary';
const PATIENCE_MS = 15_000;
const BALANCE = 1_000_000_000_000n;

export interface ChannelPlan {
  readonly type: 'openai' | 'videonative';
  /** The upstream's name of the model, whose ending is how the fake behaves. */
  readonly upstreamModel: string;
  readonly baseUrl?: string;
  /** Its time limits, as its row keeps them. */
  readonly timeouts?: { readonly total_ms: number };
  readonly limits?: Limits;
}

function toRoleUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = PLANE_ROLES['video-worker'];
  url.password = ROLE_PASSWORD;
  return url.href;
}

async function migrate(url: string): Promise<void> {
  await migrateDatabase({ url, passwords: { 'video-worker': ROLE_PASSWORD } });
}

/** A migrated Postgres, a Redis, fake job APIs, and workers as many as wanted: everything but the gateway and billing's process. */
export class VideoTestBed {
  readonly ledger: TaskLedger;
  readonly store: TaskStore;
  readonly queue: Queue;
  readonly #planes: RunningPlane[] = [];

  private constructor(
    readonly services: TestServices,
    readonly database: Awaited<ReturnType<typeof openDatabase>>,
    readonly fake: FakeJobs,
    readonly payer: Payer,
    private readonly redis: RedisScope,
  ) {
    this.ledger = new TaskLedger(database);
    this.store = new TaskStore(database);
    this.queue = new Queue(TASK_QUEUE, {
      connection: { url: services.redisUrl },
      prefix: redis.prefix,
    });
  }

  static async open(): Promise<VideoTestBed> {
    const services = await startPreparedServices(migrate);
    const options = { url: services.databaseUrl, poolSize: 4, applicationName: 'test' };
    const database = await openDatabase(options);
    const fake = await startFakeJobs({ acceptedKeys: [UPSTREAM_KEY] });
    const payer = await seedPayer(database, { balance: BALANCE, price: { per_second: '0.02' } });
    const redis = new RedisScope({
      redisUrl: services.redisUrl,
      secret: await readRedisSecret(database),
      onRefused: () => undefined,
    });
    return new VideoTestBed(services, database, fake, payer, redis);
  }

  async startWorker(name: string, variables: Record<string, string> = {}): Promise<RunningPlane> {
    const environment = readEnvironment({
      HOST: '127.0.0.1',
      VIDEO_WORKER_PORT: '0',
      DATABASE_URL: toRoleUrl(this.services.databaseUrl),
      REDIS_URL: this.services.redisUrl,
      ENCRYPTION_KEY,
      INSTANCE_ID: name,
      ALLOW_PRIVATE_URLS: 'true',
      METRICS_ENABLED: 'true',
      DRAIN_TIMEOUT_SECONDS: '5',
      ...variables,
    });
    const logger = createLogger({ plane: 'test', level: 'silent' });
    const plane = await startVideoPlane({ environment, logger, money: this.ledger });
    this.#planes.push(plane);
    return plane;
  }

  /** Has Redis give out what limits of channels have room for, as it does some seconds after a worker has met it first. */
  async giveOutLimits(): Promise<void> {
    const client = new Redis(this.services.redisUrl);
    await client.set(this.redis.name('limit:channel:life'), '1');
    await client.quit();
  }

  async closeWorkers(): Promise<void> {
    await Promise.all(this.#planes.splice(0).map((plane) => plane.close()));
  }

  /** Writes the channels of the payer's model, the first one to be tried first, instead of those before. */
  async setChannels(...channels: readonly ChannelPlan[]): Promise<void> {
    await this.database.query('delete from channel');
    for (const [index, { type, upstreamModel, baseUrl, timeouts = {}, limits = {} }] of channels.entries()) {
      const id = newId();
      const address = baseUrl ?? this.fake.urlOf(type === 'openai' ? 'openai' : 'ark');
      const models = JSON.stringify({ [this.payer.model]: upstreamModel });
      await this.database.query(
        `insert into channel (id, name, type, base_url, models, timeouts, limits, priority)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          id,
          `channel-${index}`,
          type,
          address,
          models,
          JSON.stringify(timeouts),
          JSON.stringify(limits),
          -index,
        ],
      );
      const secrets = { apiKeys: [UPSTREAM_KEY], settings: {} };
      await this.database.query('select channel_credentials_write($1, $2)', [
        id,
        JSON.stringify(sealAllCredentials(secrets, id, deriveSecretKey(ENCRYPTION_KEY))),
      ]);
    }
  }

  /** Opens a task as the gateway does, without a word to the queue. */
  async openTask(changes: Partial<NewTask> = {}): Promise<NewTask> {
    const order = Buffer.from('{"prompt":"a cat","seconds":8}');
    const request = buildTaskRequest(this.payer, { task: { order, ...changes } });
    await this.ledger.openTask(request);
    return request.task;
  }

  async wake(task: NewTask): Promise<void> {
    await this.queue.add(DRIVE, signJob(this.redis, DRIVE, task.id), jobOptions(DRIVE, task.id));
  }

  async cancel(task: NewTask): Promise<void> {
    await this.queue.add(CANCEL, signJob(this.redis, CANCEL, task.id), jobOptions(CANCEL, task.id));
  }

  async read(task: NewTask): Promise<Task> {
    const found = await new WalletTasks(this.database).find(this.payer.walletId, task.publicId);
    if (!found) throw new Error('there is no such task');
    return found;
  }

  /** Waits until a task is in one of some states; every look brings its next step forward, so that nobody waits for a pause. */
  waitFor(task: NewTask, ...states: readonly Task['state'][]): Promise<Task> {
    return vi.waitFor(
      async () => {
        const found = await this.read(task);
        if (states.includes(found.state)) return found;
        await this.hurry(task);
        throw new Error(`the task is ${found.state}, not ${states.join(' or ')}`);
      },
      { timeout: PATIENCE_MS, interval: 100 },
    );
  }

  /** Makes a task due now and lets a worker know; whoever has it keeps it. */
  async hurry(task: NewTask): Promise<void> {
    await this.database.query(
      `update task set next_run_at = now() - interval '1 minute'
        where id = $1 and state not in ('succeeded', 'failed', 'expired', 'cancelled')
          and (claimed_until is null or claimed_until < now())`,
      [task.id],
    );
    const job = await this.queue.getJob(jobOptions(DRIVE, task.id).jobId);
    await job?.promote().catch(() => undefined);
  }

  async passDeadline(task: NewTask): Promise<void> {
    await this.database.query(
      `update task set deadline_at = now() - interval '5 minutes', next_run_at = now() - interval '5 minutes' where id = $1`,
      [task.id],
    );
  }

  /** Entries of the ledger that name a task, as `kind amount`. */
  async entriesOf(task: NewTask): Promise<string[]> {
    const rows = await this.database.query<{ kind: string; amount: string }[]>(
      `select kind, amount from entry where task_id = $1 and wallet_id is not null order by id`,
      [task.id],
    );
    return rows.map((row) => `${row.kind} ${row.amount}`);
  }

  /** Orders that the providers got. */
  get submits(): number {
    return this.fake.requests.filter(({ kind }) => kind === 'create').length;
  }

  /** Closes the workers and forgets channels' jobs. @throws Error when the ledger does not balance. */
  async clear(): Promise<void> {
    await this.closeWorkers();
    await this.queue.obliterate({ force: true });
    this.fake.reset();
    const drift = await this.database.query<unknown[]>('select * from money_drift()');
    if (drift.length > 0) throw new Error(`the ledger does not balance: ${JSON.stringify(drift)}`);
  }

  async stop(): Promise<void> {
    await this.closeWorkers();
    await this.queue.close();
    await this.fake.close();
    await this.database.destroy();
    await this.services.stop();
  }
}
