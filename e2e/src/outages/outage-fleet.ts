import { createTcpProxy, startTestServices } from '@mg/testkit';
import { Pool } from 'pg';
import { CANARY } from '../deployment/credentials.js';
import { waitForModel } from '../deployment/knows-model.js';
import { PlaneProcess } from '../deployment/plane-process.js';
import { type Preparation, prepareDeployment } from '../deployment/prepare.js';
import { writeSmallConfiguration } from '../deployment/small-configuration.js';

const START_TIMEOUT_MS = 180_000;

export const PLANES = ['gateway', 'billing', 'video-worker', 'console'] as const;
export type Plane = (typeof PLANES)[number];

/** Each is used once, so that no gateway knows it. */
const SPARE_KEYS = Array.from(
  { length: 500 },
  (_, place) => `sk-${CANARY}-spare-${String(place).padStart(6, '0')}`,
);

/** What planes need and may have to do without. */
export type Dependency = 'postgres' | 'redis' | 'billing' | 'provider';

/** The planes as processes, with everything that they stand on on a line of its own. */
export interface OutageFleet {
  readonly gatewayUrl: string;
  readonly consoleUrl: string;
  /** Address of each plane. */
  readonly addresses: Readonly<Record<Plane, string>>;
  takeAway(dependency: Dependency): Promise<void>;
  bringBack(dependency: Dependency): Promise<void>;
  /** Ends a plane as an operator does. Answers its exit code, null when it had to be killed, and what it had printed. */
  end(plane: Plane): Promise<{ readonly code: number | null; readonly output: string }>;
  /** Ends a plane unless it has ended, and starts it again, without waiting until it is ready. */
  restart(plane: Plane): Promise<void>;
  waitUntilReady(): Promise<void>;
  /** Names of processes that have ended. */
  listEnded(): string[];
  /** What a process of this plane has printed. */
  readOutput(plane: Plane): string;
  /** A key that the gateway has not seen yet. */
  nextKey(): string;
  /** Asks the database directly, past all lines. */
  query<Row extends object>(sql: string): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function startOutageFleet(): Promise<OutageFleet> {
  const preparation = await prepareDeployment();
  const { upstream, jobs } = preparation;
  const services = await startTestServices();
  const database = new Pool({ connectionString: services.databaseUrl, max: 2 });
  // A connection may still be closing when Postgres stops.
  database.on('error', () => undefined);
  const lines = {
    postgres: await createTcpProxy(services.databaseUrl),
    redis: await createTcpProxy(services.redisUrl),
    chat: await createTcpProxy(upstream.url),
    video: await createTcpProxy(jobs.url),
  };
  await preparation.writeConfiguration(
    writeSmallConfiguration({ chatUrl: lines.chat.url, videoUrl: lines.video.url, keys: SPARE_KEYS }),
  );
  const spareKeys = [...SPARE_KEYS];
  const addresses = listAddresses(preparation);
  const variables = {
    ...preparation.variables,
    DATABASE_URL: lines.postgres.url,
    REDIS_URL: lines.redis.url,
    DRAIN_TIMEOUT_SECONDS: '2',
  };
  const start = (plane: Plane) =>
    new PlaneProcess(plane, { ...variables, INSTANCE_ID: `outage-${plane}` }, `${addresses[plane]}/readyz`);
  const processes = new Map(PLANES.map((plane) => [plane, start(plane)]));
  const waitUntilReady = async () => {
    await Promise.all([...processes.values()].map((plane) => plane.waitUntilReady(START_TIMEOUT_MS)));
  };
  const linesOf = (dependency: Exclude<Dependency, 'billing'>) =>
    dependency === 'provider' ? [lines.chat, lines.video] : [lines[dependency]];
  await waitUntilReady();
  await waitForModel(preparation.gatewayUrl, 'film');
  return {
    gatewayUrl: preparation.gatewayUrl,
    consoleUrl: preparation.consoleUrl,
    addresses,
    waitUntilReady,
    async takeAway(dependency) {
      if (dependency === 'billing') await processes.get('billing')?.stop();
      else await Promise.all(linesOf(dependency).map((line) => line.cut()));
    },
    async bringBack(dependency) {
      if (dependency === 'billing') processes.set('billing', start('billing'));
      else await Promise.all(linesOf(dependency).map((line) => line.mend()));
    },
    async end(plane) {
      const code = (await processes.get(plane)?.stop()) ?? null;
      return { code, output: processes.get(plane)?.readOutput() ?? '' };
    },
    async restart(plane) {
      await processes.get(plane)?.stop();
      processes.set(plane, start(plane));
    },
    readOutput: (plane) => processes.get(plane)?.readOutput() ?? '',
    nextKey: () => spareKeys.pop() ?? '',
    listEnded: () => [...processes].filter(([, plane]) => !plane.isRunning).map(([name]) => name),
    query: async <Row extends object>(sql: string) => (await database.query<Row>(sql)).rows,
    async stop() {
      await Promise.all([...processes.values()].map((plane) => plane.stop()));
      await Promise.all(Object.values(lines).map((line) => line.close()));
      await database.end();
      await services.stop();
      await preparation.cleanUp();
    },
  };
}

function listAddresses(preparation: Preparation): Record<Plane, string> {
  return {
    gateway: preparation.gatewayUrl,
    billing: preparation.billingUrl,
    'video-worker': preparation.videoWorkerUrl,
    console: preparation.consoleUrl,
  };
}
