import { join } from 'node:path';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import type { Deployment, DeploymentKind } from './deployment.js';
import { PlaneProcess } from './plane-process.js';
import { type Preparation, prepareDeployment } from './prepare.js';

const START_TIMEOUT_MS = 60_000;

/** The planes as processes of their own against a Postgres and a Redis by address: how a cluster runs them. */
export const splitPlanes: DeploymentKind = {
  name: 'the split planes',
  sdkTable: 'short',
  async start(): Promise<Deployment> {
    const preparation = await prepareDeployment();
    const services = await startServices(preparation);
    const planes: PlaneProcess[] = [];
    const stop = async (): Promise<Record<string, number | null>> => {
      const codes = await Promise.all(planes.map(async (plane) => [plane.name, await plane.stop()] as const));
      await services.stop();
      await preparation.cleanUp();
      return Object.fromEntries(codes);
    };
    const variables = { ...preparation.variables, ...services.variables };
    const addresses = {
      billing: preparation.billingUrl,
      gateway: preparation.gatewayUrl,
      console: preparation.consoleUrl,
      'video-worker': preparation.videoWorkerUrl,
    };
    try {
      for (const [name, address] of Object.entries(addresses)) {
        const own = { ...variables, INSTANCE_ID: `e2e-${name}` };
        planes.push(new PlaneProcess(name, own, `${address}/readyz`));
      }
      await Promise.all(planes.map((plane) => plane.waitUntilReady(START_TIMEOUT_MS)));
    } catch (error) {
      await stop();
      throw error;
    }
    return {
      gatewayUrl: preparation.gatewayUrl,
      consoleUrl: preparation.consoleUrl,
      healthUrls: Object.values(addresses),
      upstream: preparation.upstream,
      jobs: preparation.jobs,
      readOutput: () => planes.map((plane) => plane.readOutput()).join('\n'),
      listEnded: () => planes.filter((plane) => !plane.isRunning).map((plane) => plane.name),
      writeConfiguration: preparation.writeConfiguration,
      readConfiguration: preparation.readConfiguration,
      crashGateway: async () => {
        const gateway = planes.find((plane) => plane.name === 'gateway');
        await gateway?.crash();
        await gateway?.waitUntilReady(START_TIMEOUT_MS);
      },
      stop,
    };
  },
};

interface Services {
  readonly variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

async function startServices({ directory }: Preparation): Promise<Services> {
  const [postgres, redis] = await Promise.all([
    startEmbeddedPostgres({ directory: join(directory, 'postgres') }),
    startEmbeddedRedis({ directory: join(directory, 'redis') }),
  ]);
  return {
    variables: { DATABASE_URL: postgres.url, REDIS_URL: redis.url },
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}
