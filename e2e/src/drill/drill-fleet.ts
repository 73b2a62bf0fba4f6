import { join } from 'node:path';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import { type TcpProxy, type FakeJobs, findFreePorts, createTcpProxy } from '@mg/testkit';
import { Redis } from 'ioredis';
import { stringify } from 'yaml';
import { ADMIN, KEYS } from '../deployment/credentials.js';
import { waitForModel } from '../deployment/knows-model.js';
import { PlaneProcess } from '../deployment/plane-process.js';
import { prepareDeployment } from '../deployment/prepare.js';
import { connectPatiently } from './connect-patiently.js';
import { listVideoChannels, VIDEO_MODELS } from './drill-videos.js';

const START_TIMEOUT_MS = 180_000;
const CUT_MS = 1_000;

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
    const client = await connectPatiently(() => postgres.url);
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
  return stringify({
    admin: ADMIN,
    channels: listVideoChannels(jobs),
    models: VIDEO_MODELS,
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
  const client = await connectPatiently(() => url);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [backend] = rows;
  if (backend) process.kill(backend.pid, 'SIGKILL');
  await client.end().catch(() => undefined);
  await (await connectPatiently(() => url)).end();
}
