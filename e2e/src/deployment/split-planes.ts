import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import { listRules, type RedisUser } from '@mg/transport';
import { Redis } from 'ioredis';
import { PLANE_PASSWORDS } from './credentials.js';
import type { Deployment, DeploymentKind } from './deployment.js';
import { waitForModel } from './knows-model.js';
import { PlaneProcess } from './plane-process.js';
import { type Preparation, prepareDeployment } from './prepare.js';
import { runMigrate } from './run-migrate.js';

const START_TIMEOUT_MS = 180_000;

const ROLES = {
  gateway: 'mg_gateway',
  billing: 'mg_billing',
  'video-worker': 'mg_video_worker',
  console: 'mg_console',
} as const;
type PlaneName = keyof typeof ROLES;

/**
 * The planes as processes of their own against a Postgres and a Redis by address, each with no more rights than its own:
 * how a cluster runs them. They start before the database has a schema, and wait until `migrate` has made it. Gateways take
 * leases.
 */
export const splitPlanes: DeploymentKind = {
  name: 'the split planes',
  sdkTable: 'short',
  isDirect: false,
  isOneProcess: false,
  async start(): Promise<Deployment> {
    const preparation = await prepareDeployment();
    const services = await startServices(preparation);
    const planes: PlaneProcess[] = [];
    let migrated = '';
    const stop = async (): Promise<Record<string, number | null>> => {
      const codes = await Promise.all(planes.map(async (plane) => [plane.name, await plane.stop()] as const));
      const refused = await services.listRefused();
      await services.stop();
      await preparation.cleanUp();
      if (refused.length > 0) throw new Error(`planes were refused what they need:\n${refused.join('\n')}`);
      return Object.fromEntries(codes);
    };
    const addresses: Readonly<Record<PlaneName, string>> = {
      billing: preparation.billingUrl,
      gateway: preparation.gatewayUrl,
      console: preparation.consoleUrl,
      'video-worker': preparation.videoWorkerUrl,
    };
    try {
      for (const [name, address] of Object.entries(addresses) as [PlaneName, string][]) {
        const own = { ...services.variablesFor(name), INSTANCE_ID: `e2e-${name}`, LEASES: 'on' };
        planes.push(new PlaneProcess(name, { ...preparation.variables, ...own }, `${address}/readyz`));
      }
      migrated = await runMigrate({ ...MIGRATE, DATABASE_URL: services.ownerUrl });
      await Promise.all(planes.map((plane) => plane.waitUntilReady(START_TIMEOUT_MS)));
      await waitForModel(preparation.gatewayUrl, 'plain');
    } catch (error) {
      await stop();
      throw error;
    }
    return {
      gatewayUrl: preparation.gatewayUrl,
      consoleUrl: preparation.consoleUrl,
      gateways: [preparation.gatewayUrl],
      healthUrls: Object.values(addresses),
      upstream: preparation.upstream,
      jobs: preparation.jobs,
      readOutput: () => [migrated, ...planes.map((plane) => plane.readOutput())].join('\n'),
      listEnded: () => planes.filter((plane) => !plane.isRunning).map((plane) => plane.name),
      writeConfiguration: preparation.writeConfiguration,
      readConfiguration: preparation.readConfiguration,
      crashGateway: () => crash(planes, 'gateway'),
      crashWorker: () => crash(planes, 'video-worker'),
      stop,
    };
  },
};

async function crash(planes: readonly PlaneProcess[], name: PlaneName): Promise<void> {
  const plane = planes.find((one) => one.name === name);
  await plane?.crash();
  await plane?.waitUntilReady(START_TIMEOUT_MS);
}

/** What `migrate` gives the planes' roles. */
const MIGRATE = {
  GATEWAY_DATABASE_PASSWORD: PLANE_PASSWORDS.gateway,
  BILLING_DATABASE_PASSWORD: PLANE_PASSWORDS.billing,
  VIDEO_WORKER_DATABASE_PASSWORD: PLANE_PASSWORDS['video-worker'],
  CONSOLE_DATABASE_PASSWORD: PLANE_PASSWORDS.console,
};

interface Services {
  /** Address of the database for its owner. */
  readonly ownerUrl: string;
  /** Where a plane finds them, with rights of its own. */
  variablesFor(plane: PlaneName): Readonly<Record<string, string>>;
  /** What planes asked for and had no right to, also where they went on without it. */
  listRefused(): Promise<string[]>;
  stop(): Promise<void>;
}

async function startServices({ directory }: Preparation): Promise<Services> {
  const [postgres, redis] = await Promise.all([
    startEmbeddedPostgres({ directory: join(directory, 'postgres') }),
    startEmbeddedRedis({ directory: join(directory, 'redis') }),
  ]);
  await createRedisUsers(redis.url);
  return {
    ownerUrl: postgres.url,
    variablesFor: (plane) => ({
      DATABASE_URL: enterAs(postgres.url, ROLES[plane], PLANE_PASSWORDS[plane]),
      REDIS_URL: enterAs(redis.url, plane, PLANE_PASSWORDS[plane]),
    }),
    listRefused: async () => [
      ...(await listRefusedByPostgres(join(directory, 'postgres/postgres.log'))),
      ...(await listRefusedByRedis(redis.url)),
    ],
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

async function listRefusedByPostgres(logFile: string): Promise<string[]> {
  const lines = (await readFile(logFile, 'utf8')).split('\n');
  return lines.flatMap((line, index) =>
    line.includes('permission denied') ? [`${line} ${lines[index + 1] ?? ''}`] : [],
  );
}

async function listRefusedByRedis(administratorUrl: string): Promise<string[]> {
  const redis = new Redis(administratorUrl);
  const entries = (await redis.acl('LOG')) as unknown[];
  redis.disconnect();
  // Clients report their name and version where they may, and go on where they may not.
  return entries.map((entry) => JSON.stringify(entry)).filter((text) => !text.includes('client|setinfo'));
}

async function createRedisUsers(administratorUrl: string): Promise<void> {
  const redis = new Redis(administratorUrl);
  for (const [user, password] of Object.entries(PLANE_PASSWORDS) as [RedisUser, string][]) {
    await redis.acl('SETUSER', user, 'on', `>${password}`, ...listRules(user));
  }
  redis.disconnect();
}

function enterAs(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  return url.href;
}
