import { join } from 'node:path';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import { type TcpProxy, type FakeJobs, findFreePorts, createTcpProxy } from '@mg/testkit';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { stringify } from 'yaml';
import { ADMIN, KEYS, PROVIDER_KEYS } from '../deployment/credentials.js';
import { waitForModel } from '../deployment/knows-model.js';
import { PlaneProcess } from '../deployment/plane-process.js';
import { prepareDeployment } from '../deployment/prepare.js';
import { waitUntil } from '../wait-until.js';

const START_TIMEOUT_MS = 180_000;
const CUT_MS = 1_000;
const PRICE = { per_second: '0.01' } as const;

/** Models of the drill and how their jobs go at the fake provider; a second name is tried when the first refuses. */
export const DRILL_MODELS = {
  'drill-makes': ['seedance'],
  'drill-quick': ['seedance--done-at-once'],
  'drill-fails': ['seedance--fails'],
  'drill-refused': ['seedance--refuse-400'],
  'drill-lost': ['seedance--drop-made'],
  'drill-stumbles': ['seedance--poll-drops'],
  'drill-second': ['seedance--refuse-429', 'seedance--done-at-once'],
} as const;

/** The planes as processes, two workers among them, on a Postgres and a Redis behind proxies that can be cut. */
export interface DrillFleet {
  readonly gatewayUrl: string;
  readonly jobs: FakeJobs;
  /** Everything that can be broken, by name; each mends what it broke before it resolves. */
  readonly breaks: Readonly<Record<string, () => Promise<void>>>;
  /** Asks the database directly, past all proxies. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function startDrillFleet(): Promise<DrillFleet> {
  const preparation = await prepareDeployment();
  const { directory, jobs } = preparation;
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
  const redis = await startEmbeddedRedis({ directory: join(directory, 'redis') });
  const proxies = [await createTcpProxy(postgres.url), await createTcpProxy(redis.url)] as const;
  await preparation.writeConfiguration(writeDrillConfiguration(jobs));
  const planes = await startPlanes(preparation, proxies);
  const query = async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
    const client = await connectPatiently(postgres.url);
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  return {
    gatewayUrl: preparation.gatewayUrl,
    jobs,
    query,
    breaks: {
      ...Object.fromEntries(
        planes.map((plane, place) => [`kill ${plane.name} (${place})`, () => crash(plane)]),
      ),
      'flush redis': () => flush(redis.url),
      'cut redis': () => cut(proxies[1]),
      'cut postgres': () => cut(proxies[0]),
      'kill postgres': () => killBackend(postgres.url),
    },
    async stop() {
      await Promise.all(planes.map((plane) => plane.stop()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await Promise.all([postgres.stop(), redis.stop()]);
      await preparation.cleanUp();
    },
  };
}

type Preparation = Awaited<ReturnType<typeof prepareDeployment>>;

async function startPlanes(
  preparation: Preparation,
  [postgresProxy, redisProxy]: readonly [TcpProxy, TcpProxy],
): Promise<PlaneProcess[]> {
  const [secondWorkerPort = 0] = await findFreePorts(1);
  const { billingUrl, gatewayUrl, consoleUrl, videoWorkerUrl } = preparation;
  const variables = {
    ...preparation.variables,
    DATABASE_URL: postgresProxy.url,
    REDIS_URL: redisProxy.url,
    LOG_LEVEL: 'warn',
  };
  const start = (name: string, instance: string, address: string, own: Record<string, string> = {}) =>
    new PlaneProcess(name, { ...variables, INSTANCE_ID: instance, ...own }, `${address}/readyz`);
  const planes = [
    start('billing', 'drill-billing', billingUrl),
    start('console', 'drill-console', consoleUrl),
    start('gateway', 'drill-gateway', gatewayUrl),
    start('video-worker', 'drill-worker-1', videoWorkerUrl),
    start('video-worker', 'drill-worker-2', `http://127.0.0.1:${secondWorkerPort}`, {
      VIDEO_WORKER_PORT: String(secondWorkerPort),
    }),
  ];
  await Promise.all(planes.map((plane) => plane.waitUntilReady(START_TIMEOUT_MS)));
  await waitForModel(gatewayUrl, 'drill-makes');
  return planes;
}

function writeDrillConfiguration(jobs: FakeJobs): string {
  const slugs = Object.keys(DRILL_MODELS) as (keyof typeof DRILL_MODELS)[];
  const channels = [0, 1].map((place) => ({
    name: `drill-${place}`,
    type: 'videonative',
    base_url: jobs.urlOf('ark'),
    api_keys: [...PROVIDER_KEYS],
    priority: -place,
    timeout: { connect: '1s', first_byte: '3s', idle: '3s', total: '10s' },
    models: Object.fromEntries(
      slugs.flatMap((slug) => {
        const upstream = (DRILL_MODELS[slug] as readonly string[])[place];
        return upstream === undefined ? [] : [[slug, upstream]];
      }),
    ),
  }));
  return stringify({
    admin: ADMIN,
    channels,
    models: slugs.map((slug) => ({ slug, kind: 'video', price: PRICE })),
    wallets: [{ name: 'main', balance: '1000.00' }],
    tokens: [{ name: 'main', wallet: 'main', key: KEYS.main }],
  });
}

async function crash(plane: PlaneProcess): Promise<void> {
  await plane.crash();
  await plane.waitUntilReady(START_TIMEOUT_MS);
}

async function flush(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.flushall();
  redis.disconnect();
}

async function cut(proxy: TcpProxy): Promise<void> {
  await proxy.cut();
  await new Promise((resolve) => setTimeout(resolve, CUT_MS));
  await proxy.mend();
}

/** Postgres takes the sudden death of one of its processes as a crash: it drops every connection and recovers. */
async function killBackend(url: string): Promise<void> {
  const client = await connectPatiently(url);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [backend] = rows;
  if (backend) process.kill(backend.pid, 'SIGKILL');
  await client.end().catch(() => undefined);
  await (await connectPatiently(url)).end();
}

/** A connection, as soon as Postgres has recovered from what was done to it before. */
function connectPatiently(url: string): Promise<Client> {
  const connect = async () => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    return client.connect().then(
      () => client,
      () => undefined,
    );
  };
  return waitUntil('Postgres after its recovery', connect, START_TIMEOUT_MS);
}
