import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import {
  copyTestPostgres,
  createTcpProxy,
  type FakeJobs,
  type FakeUpstream,
  findFreePorts,
} from '@mg/testkit';
import { createRandom } from '../create-random.js';
import { waitForModel } from '../deployment/knows-model.js';
import { type Preparation, prepareDeployment } from '../deployment/prepare.js';
import { connectPatiently } from './connect-patiently.js';
import { KillableServer } from './killable-server.js';
import { MessageFaults } from './message-faults.js';
import { writeMoneyConfiguration } from './money-configuration.js';
import { SupervisedPlane } from './supervised-plane.js';

/** What can be done to a process; each is over once the process is as before. */
export interface Victim {
  kill(losesData: boolean): Promise<void>;
  freeze(forMs: number): Promise<void>;
  jump(offsetMs: number, forMs: number): Promise<void>;
}

/** Two gateways or more, two billings, two workers and a console, with a Postgres and a Redis of their own. */
export interface MoneyFleet {
  readonly gatewayUrls: readonly string[];
  readonly consoleUrl: string;
  readonly upstream: FakeUpstream;
  readonly jobs: FakeJobs;
  /** What becomes of messages between planes. */
  readonly messages: MessageFaults;
  /** By their names in `VICTIMS`. */
  readonly victims: ReadonlyMap<string, Victim>;
  /** Reads the database directly, past its proxy; again when it is killed meanwhile. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  readOutput(): string;
  stop(): Promise<void>;
}

export interface MoneyFleetOptions {
  readonly seed: number;
  /** Two at least; those beyond are asked as the others are, and live through the whole drill. */
  readonly gateways: number;
  /** Environment of the gateways beside what every plane has. */
  readonly gatewayVariables: Readonly<Record<string, string>>;
}

const OTHER_PLANES = {
  'billing-1': 'billing',
  'billing-2': 'billing',
  'worker-1': 'video-worker',
  'worker-2': 'video-worker',
  console: 'console',
} as const;

const LOOPBACK = '127.0.0.1';
const CONNECTION_LOST = /^(57P0|08)|Connection terminated|connection error|ECONN|EPIPE/;

export async function startMoneyFleet(options: MoneyFleetOptions): Promise<MoneyFleet> {
  const preparation = await prepareDeployment();
  const { upstream, jobs, directory } = preparation;
  await preparation.writeConfiguration(writeMoneyConfiguration(upstream, jobs));
  const messages = new MessageFaults(createRandom(options.seed));
  const [postgres, redis] = await Promise.all([startPostgres(directory), startRedis(directory, messages)]);
  const { planes, gatewayUrls, consoleUrl } = await startPlanes(preparation, { ...options, postgres, redis });
  await Promise.all([...planes.values()].map((plane) => plane.waitUntilReady()));
  await Promise.all(gatewayUrls.map((url) => waitForModel(url, 'drill-makes')));
  const removeRedisData = () => rmSync(join(directory, 'redis/data'), { recursive: true, force: true });
  const noClock = () => Promise.reject(new Error('This server has no clock of its own here.'));
  return {
    gatewayUrls,
    consoleUrl,
    upstream,
    jobs,
    messages,
    victims: new Map<string, Victim>([
      ...planes,
      ['postgres', { kill: () => postgres.kill(), freeze: (ms) => postgres.freeze(ms), jump: noClock }],
      [
        'redis',
        {
          kill: (losesData) => redis.kill(losesData ? removeRedisData : undefined),
          freeze: (ms) => redis.freeze(ms),
          jump: noClock,
        },
      ],
    ]),
    query: (sql, values = []) => readPatiently(() => postgres.directUrl, sql, values),
    readOutput: () => [...planes].map(([name, plane]) => `${name}\n${plane.readOutput()}`).join('\n'),
    async stop() {
      await Promise.all([...planes.values()].map((plane) => plane.stop()));
      await Promise.all([postgres.stop(), redis.stop()]);
      await preparation.cleanUp();
    },
  };
}

async function startPostgres(directory: string): Promise<KillableServer> {
  const own = join(directory, 'postgres');
  await copyTestPostgres(own);
  return KillableServer.start({
    pidFile: join(own, 'data/postmaster.pid'),
    start: () => startEmbeddedPostgres({ directory: own }),
    openProxy: (url, port) => createTcpProxy(url, { host: LOOPBACK, port }),
  });
}

/** It keeps what it has in an append-only file, as every Redis of the deployments does. */
function startRedis(directory: string, messages: MessageFaults): Promise<KillableServer> {
  const own = join(directory, 'redis');
  return KillableServer.start({
    pidFile: join(own, 'redis.pid'),
    start: () => startEmbeddedRedis({ directory: own }),
    openProxy: (url, port) => createTcpProxy(url, { host: LOOPBACK, port }, messages.pass),
  });
}

interface Surroundings extends MoneyFleetOptions {
  readonly postgres: KillableServer;
  readonly redis: KillableServer;
}

interface StartedPlanes {
  readonly planes: ReadonlyMap<string, SupervisedPlane>;
  readonly gatewayUrls: readonly string[];
  readonly consoleUrl: string;
}

async function startPlanes(
  { directory, variables }: Preparation,
  { postgres, redis, gateways, gatewayVariables }: Surroundings,
): Promise<StartedPlanes> {
  const gatewayNames = Array.from({ length: gateways }, (_, index) => `gateway-${index + 1}`);
  const kinds = [...gatewayNames.map((name) => [name, 'gateway'] as const), ...Object.entries(OTHER_PLANES)];
  const ports = await findFreePorts(kinds.length);
  const planes = new Map<string, SupervisedPlane>();
  const urls = new Map<string, string>();
  for (const [place, [name, kind]] of kinds.entries()) {
    const own = join(directory, name);
    mkdirSync(own);
    const url = `http://${LOOPBACK}:${ports[place]}`;
    urls.set(name, url);
    const ofKind = kind === 'gateway' ? gatewayVariables : {};
    const plane = new SupervisedPlane({
      kind,
      url,
      clockFile: join(own, 'clock-offset'),
      variables: {
        ...variables,
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        INSTANCE_ID: `drill-${name}`,
        DATA_DIR: join(own, 'data'),
        [`${kind.replace('-', '_').toUpperCase()}_PORT`]: String(ports[place]),
        LOG_LEVEL: 'warn',
        ...ofKind,
      },
    });
    planes.set(name, plane);
  }
  const gatewayUrls = gatewayNames.map((name) => urls.get(name) ?? '');
  return { planes, gatewayUrls, consoleUrl: urls.get('console') ?? '' };
}

async function readPatiently<Row extends object>(
  findUrl: () => string,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  for (;;) {
    const client = await connectPatiently(findUrl);
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } catch (error) {
      if (!isLost(error)) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return CONNECTION_LOST.test(code) || CONNECTION_LOST.test(error.message);
}
