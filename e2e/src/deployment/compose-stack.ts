import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { omitUndefined } from '@mg/contract';
import { ComposeProject } from '../compose/compose-project.js';
import { listRefused } from '../compose/list-refused.js';
import { ADMIN, CANARY, KEYS, SECRETS } from './credentials.js';
import type { Deployment, DeploymentKind } from './deployment.js';
import { waitForModel } from './knows-model.js';
import { type Preparation, prepareDeployment } from './prepare.js';
import { REPOSITORY } from './repository.js';

/** The folder of the file that operators edit, as docker-compose.yml mounts it. */
const CONFIGURATION = './deploy/config';

/** Ports that the planes listen on inside their containers, and that of the ingress. */
const PORTS = { gateway: 8080, console: 8081, billing: 8082, 'video-worker': 8083 } as const;
const INGRESS_PORT = 8080;

export const SCALE = { gateway: 2, billing: 2, 'video-worker': 3 } as const;

/** The services of docker-compose.yml, planes scaled, spoken to through the ingress: how a server runs them. */
export const composeStack: DeploymentKind = {
  name: 'the compose stack',
  sdkTable: 'short',
  isDirect: false,
  isOneProcess: false,
  async start(): Promise<Deployment> {
    const preparation = await prepareDeployment();
    try {
      const variables = makeVariables();
      const project = await startComposeProject(preparation, variables);
      const deployment = describeDeployment(preparation, project, variables);
      await Promise.all(deployment.gateways.map((url) => waitForModel(url, 'plain')));
      return deployment;
    } catch (error) {
      await preparation.cleanUp();
      throw error;
    }
  },
};

/** Starts the services of docker-compose.yml with the configuration file of the preparation. */
async function startComposeProject(preparation: Preparation, variables: Variables): Promise<ComposeProject> {
  await cp(join(REPOSITORY, CONFIGURATION), preparation.directory, { recursive: true, force: false });
  return ComposeProject.up({
    variables,
    scale: SCALE,
    directory: preparation.directory,
    mounts: { [CONFIGURATION]: preparation.directory },
  });
}

type Variables = Readonly<Record<string, string>>;

/** What an operator writes into `.env`. Each secret holds the word that a test looks for in all output. */
function makeVariables(): Variables {
  const services = ['GATEWAY', 'BILLING', 'VIDEO_WORKER', 'CONSOLE'];
  const passwords = [
    'POSTGRES_PASSWORD',
    'REDIS_PASSWORD',
    ...services.flatMap((name) => [`${name}_DATABASE_PASSWORD`, `${name}_REDIS_PASSWORD`]),
  ];
  return {
    ...Object.fromEntries(passwords.map((name) => [name, `${CANARY}-${randomBytes(12).toString('hex')}`])),
    JWT_SECRET: SECRETS.jwt,
    ENCRYPTION_KEY: SECRETS.encryption,
    METRICS_TOKEN: SECRETS.metrics,
    ADMIN_PASSWORD: ADMIN.password,
    FIRST_API_KEY: KEYS.main,
    LOG_LEVEL: 'debug',
    ...omitUndefined({ LEASES: process.env.LEASES }),
  };
}

function describeDeployment(
  preparation: Preparation,
  project: ComposeProject,
  variables: Variables,
): Deployment {
  const { upstream, jobs, writeConfiguration, readConfiguration } = preparation;
  const listUrls = (plane: keyof typeof PORTS) =>
    project.listOf(plane).map(({ plan }) => `http://${plan.address}:${PORTS[plane]}`);
  const crash = async (plane: keyof typeof PORTS) => {
    const containers = project.listOf(plane);
    await Promise.all(containers.map((container) => container.kill()));
    await Promise.all(containers.map((container) => container.waitUntilHealthy()));
  };
  return {
    gatewayUrl: `http://${project.addressOf('ingress')}:${INGRESS_PORT}`,
    consoleUrl: `http://${project.addressOf('console')}:${PORTS.console}`,
    gateways: listUrls('gateway'),
    healthUrls: (Object.keys(PORTS) as (keyof typeof PORTS)[]).flatMap(listUrls),
    upstream,
    jobs,
    project,
    readOutput: () => project.containers.map((container) => container.readOutput()).join('\n'),
    listEnded: () => project.containers.flatMap(({ unexpectedEnds }) => unexpectedEnds),
    writeConfiguration,
    readConfiguration,
    crashGateway: () => crash('gateway'),
    crashWorker: () => crash('video-worker'),
    stop: async () => {
      const { postgresLog } = project;
      const redisUrl = `redis://:${variables['REDIS_PASSWORD']}@${project.addressOf('redis')}:6379`;
      let codes: Readonly<Record<string, number | null>> = {};
      let refused: readonly string[] = [];
      try {
        refused = await listRefused({ postgresLog, redisUrl });
      } finally {
        codes = await project.down();
        await preparation.cleanUp();
      }
      if (refused.length > 0) throw new Error(`planes were refused what they need:\n${refused.join('\n')}`);
      return codes;
    },
  };
}
