import { type Channel, DEFAULT_TIMEOUTS, newId, sha256 } from '@mg/contract';
import { WalletBatches } from '@mg/persistence/gateway';
import { BatchWork, deriveSecretKey, openDatabase, UpstreamBatches } from '@mg/persistence/video';
import { Counter, createLogger, Registry } from '@mg/runtime';
import { createTestDatabase, type FakeUpstream, seedPayer, startFakeUpstream } from '@mg/testkit';
import { JobHttp, type NativeRoute } from '@mg/transport';
import type { BatchContext } from '../../batch-context.js';
import { BatchRunner } from '../../batch-runner.js';
import { FakeGateway } from '../../../testing/fake-gateway.js';
import { NativeRunner } from '../native-runner.js';

const KEY = deriveSecretKey('encryption-key-of-the-native-batches');
export const UPSTREAM_KEY = 'sk-upstream';
const OTHER_UPSTREAM_KEY = 'sk-upstream-of-the-same-account';
export const MODEL = 'plain';
/** A model that no channel serves. */
export const OTHER_MODEL = 'other';

/** A channel whose provider carries out batches, and what the lines of its batches are sent to. */
export interface NativeChannel {
  readonly type: string;
  /** Below its base address. */
  readonly endpoint: string;
  /** `/v1` when left out. */
  readonly versionPath?: string;
}

function routeTo(channelId: string): NativeRoute {
  return { channelId, keyFingerprint: sha256(UPSTREAM_KEY), upstreamModel: MODEL };
}

function toMessages(content: string): object {
  return { model: MODEL, max_tokens: 20, messages: [{ role: 'user', content }] };
}

/** A life of a worker: its runners, which are asked to look by hand. */
export interface Worker {
  readonly runner: BatchRunner;
  readonly native: NativeRunner;
  readonly context: BatchContext;
}

interface LineRow {
  readonly line: number;
  readonly state: string;
  readonly upstream_batch_id: string | null;
}

/** Workers over one database and one upstream, whose gateway holds whatever is asked for. */
export class NativeBed {
  walletId = '';
  gateway = new FakeGateway(routeTo(''), '');
  #channel: Channel | undefined;
  readonly #http = new JobHttp('test');
  readonly #workers: Worker[] = [];

  private constructor(
    readonly database: Awaited<ReturnType<typeof openDatabase>>,
    readonly upstream: FakeUpstream,
    readonly batches: WalletBatches,
    private readonly stopDatabase: () => Promise<void>,
  ) {}

  static async start(): Promise<NativeBed> {
    const { databaseUrl: url, stop } = await createTestDatabase(async (made) => {
      await (await openDatabase({ url: made, poolSize: 1, applicationName: 'test' })).destroy();
    });
    const database = await openDatabase({ url, poolSize: 8, applicationName: 'test' });
    const upstream = await startFakeUpstream({ acceptedKeys: [UPSTREAM_KEY, OTHER_UPSTREAM_KEY] });
    return new NativeBed(database, upstream, new WalletBatches(database, KEY), stop);
  }

  /** Forgets everything, and has one channel. */
  async reset({ type, endpoint, versionPath = '/v1' }: NativeChannel): Promise<void> {
    await this.database.query('delete from batch');
    this.upstream.reset();
    ({ walletId: this.walletId } = await seedPayer(this.database, { balance: 1n }));
    const id = newId();
    await this.database.query(`insert into channel (id, name, type) values ($1, $2, $3)`, [id, id, type]);
    this.#channel = {
      id,
      name: 'native',
      type,
      baseUrl: this.upstream.url + versionPath,
      apiKeys: [UPSTREAM_KEY],
      models: new Map([[MODEL, MODEL]]),
      settings: {},
      priority: 0,
      weight: 1,
      timeouts: DEFAULT_TIMEOUTS,
      batches: 'native',
    };
    this.gateway = new FakeGateway(routeTo(id), endpoint);
  }

  get channelId(): string | undefined {
    return this.#channel?.id;
  }

  /** The channel has other keys from now on: the last one is of the same account, or of none. */
  renewKey({ isOfAccount = false } = {}): void {
    const key = isOfAccount ? OTHER_UPSTREAM_KEY : 'sk-another';
    if (this.#channel) this.#channel = { ...this.#channel, apiKeys: ['sk-of-another-account', key] };
  }

  /** Nothing new may be begun with the channel's key from now on. */
  disableKey(): void {
    if (this.#channel) this.#channel = { ...this.#channel, apiKeys: [], disabledKeys: [UPSTREAM_KEY] };
  }

  async closeWorkers(): Promise<void> {
    await Promise.all(
      this.#workers.splice(0).map(({ native, runner }) => native.close().then(() => runner.close(0))),
    );
  }

  async stop(): Promise<void> {
    await this.#http.close();
    await this.upstream.close();
    await this.database.destroy();
    await this.stopDatabase();
  }

  openWorker(name: string): Worker {
    const context = {
      work: new BatchWork(this.database, KEY, name),
      gateway: this.gateway,
      native: {
        upstream: new UpstreamBatches(this.database, KEY, name),
        catalog: () => ({
          version: 1,
          models: new Map([MODEL, OTHER_MODEL].map((slug) => [slug, { slug }])),
          channelsBySlug: new Map([[MODEL, [this.#channel]]]),
        }),
        findChannel: async () => this.#channel,
        http: this.#http,
      },
      files: { writeResults: async () => ({ id: 'file' }) },
      concurrency: 64,
      lines: new Counter({
        name: 'lines',
        help: 'lines',
        labelNames: ['outcome'],
        registers: [new Registry()],
      }),
      logger: createLogger({ plane: 'test', level: 'silent' }),
    } as unknown as BatchContext;
    const worker = { runner: new BatchRunner(context), native: new NativeRunner(context), context };
    this.#workers.push(worker);
    return worker;
  }

  /** Has whatever waits be due. */
  async hurry(): Promise<void> {
    await this.database.query(
      'update upstream_batch set next_run_at = now(), claimed_until = null, claimed_by = null',
    );
  }

  /** Has everything that a provider has, or may have, be older. */
  async pass(seconds: number): Promise<void> {
    await this.database.query(
      `update upstream_batch set creating_since = creating_since - make_interval(secs => $1), created_at = created_at - make_interval(secs => $1)`,
      [seconds],
    );
  }

  lines(): Promise<LineRow[]> {
    return this.database.query<LineRow[]>(
      'select line, state, upstream_batch_id from batch_line order by line',
    );
  }

  async states(): Promise<string[]> {
    return (await this.lines()).map(({ state }) => state);
  }

  rows(): Promise<{ state: string; outcome: string | null; upstream_id: string | null }[]> {
    return this.database.query(
      'select state, outcome, upstream_id from upstream_batch order by created_at, id',
    );
  }

  async outcomes(): Promise<(string | null)[]> {
    return (await this.rows()).map(({ outcome }) => outcome);
  }

  async create(
    id: string,
    count: number,
    how: Partial<Parameters<WalletBatches['createWithLines']>[0]> = {},
    body: (text: string) => object = toMessages,
  ): Promise<void> {
    await this.batches.createWithLines(
      {
        id,
        walletId: this.walletId,
        tokenId: newId(),
        keyHash: sha256('sk-caller'),
        api: 'batch',
        endpoint: '/v1/chat/completions',
        details: {},
        windowSeconds: 86_400,
        ...how,
      },
      Array.from({ length: count }, (_, at) => ({
        tag: `line-${at + 1}`,
        body: Buffer.from(JSON.stringify(body(`line ${at + 1}`))),
      })),
    );
  }

  /** Has a worker look, again and again, until something is true of the database. */
  async work(worker: Worker, isDone: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + 20_000;
    while (!(await isDone())) {
      if (performance.now() > deadline) throw new Error('it is not done in time');
      await worker.runner.fill();
      await this.hurry();
      await worker.native.stepDue();
    }
  }

  readonly areParked = async () => (await this.lines()).every((line) => line.upstream_batch_id !== null);
  readonly isRunning = async () => (await this.rows()).some(({ state }) => state === 'running');
  readonly isCreating = async () => (await this.rows()).some(({ state }) => state === 'creating');
  readonly isOver = async () => {
    const all = await this.rows();
    return all.length > 0 && all.every(({ state }) => state === 'ended');
  };
}
