import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import { createTcpProxy, type FakeJobs, type FakeUpstream, findFreePorts } from '@mg/testkit';
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

/** Two gateways, two billings, two workers and a console, with a Postgres and a Redis of their own. */
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
  /** Environment of the gateways beside what every plane has. */
  readonly gatewayVariables: Readonly<Record<string, string>>;
}

const PLANES = {
  'gateway-1': 'gateway',
  'gateway-2': 'gateway',
  'billing-1': 'billing',
  'billing-2': 'billing',
  'worker-1': 'video-worker',
  'worker-2': 'video-worker',
  console: 'console',
} as const;
type PlaneName = keyof typeof PLANES;

const LOOPBACK = '127.0.0.1';
const CONNECTION_LOST = /^(57P0|08)|Connection terminated|ECONN|EPIPE/;

export async function startMoneyFleet({ seed, gatewayVariables }: MoneyFleetOptions): Promise<MoneyFleet> {
  const preparation = await prepareDeployment();
  const { upstream, jobs, directory } = preparation;
  await preparation.writeConfiguration(writeMoneyConfiguration(upstream, jobs));
  const messages = new MessageFaults(createRandom(seed));
  const [postgres, redis] = await Promise.all([startPostgres(directory), startRedis(directory, messages)]);
  const { planes, urls } = await startPlanes(preparation, { postgres, redis, gatewayVariables });
  const gatewayUrls = [urls['gateway-1'], urls['gateway-2']];
  await Promise.all([...planes.values()].map((plane) => plane.waitUntilReady()));
  await Promise.all(gatewayUrls.map((url) => waitForModel(url, 'drill-makes')));
  const removeRedisData = () => rmSync(join(directory, 'redis/data'), { recursive: true, force: true });
  const noClock = () => Promise.reject(new Error('This server has no clock of its own here.'));
  return {
    gatewayUrls,
    consoleUrl: urls.console,
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

function startPostgres(directory: string): Promise<KillableServer> {
  const own = join(directory, 'postgres');
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

interface Surroundings extends Pick<MoneyFleetOptions, 'gatewayVariables'> {
  readonly postgres: KillableServer;
  readonly redis: KillableServer;
}

async function startPlanes(
  { directory, variables }: Preparation,
  { postgres, redis, gatewayVariables }: Surroundings,
): Promise<{ planes: Map<PlaneName, SupervisedPlane>; urls: Record<PlaneName, string> }> {
  const names = Object.keys(PLANES) as PlaneName[];
  const ports = await findFreePorts(names.length);
  const planes = new Map<PlaneName, SupervisedPlane>();
  const urls = {} as Record<PlaneName, string>;
  for (const [place, name] of names.entries()) {
    const kind = PLANES[name];
    const own = join(directory, name);
    mkdirSync(own);
    urls[name] = `http://${LOOPBACK}:${ports[place]}`;
    const plane = new SupervisedPlane({
      kind,
      url: urls[name],
      clockFile: join(own, 'clock-offset'),
      variables: {
        ...variables,
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        INSTANCE_ID: `drill-${name}`,
        DATA_DIR: join(own, 'data'),
        [`${kind.replace('-', '_').toUpperCase()}_PORT`]: String(ports[place]),
        LOG_LEVEL: 'warn',
        ...(kind === 'gateway' && gatewayVariables),
      },
    });
    planes.set(name, plane);
  }
  return { planes, urls };
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
