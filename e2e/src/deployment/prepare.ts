import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FakeJobs,
  type FakeUpstream,
  findFreePorts,
  startFakeJobs,
  startFakeUpstream,
} from '@mg/testkit';
import { writeConfiguration } from './configuration.js';
import { PROVIDER_KEYS, SECRETS } from './credentials.js';

/** What every deployment needs before its first process starts. */
export interface Preparation {
  readonly upstream: FakeUpstream;
  readonly jobs: FakeJobs;
  readonly directory: string;
  readonly gatewayUrl: string;
  readonly consoleUrl: string;
  readonly billingUrl: string;
  readonly videoWorkerUrl: string;
  /** The environment that all processes share. */
  readonly variables: Readonly<Record<string, string>>;
  writeConfiguration(text: string): Promise<void>;
  readConfiguration(): Promise<string>;
  cleanUp(): Promise<void>;
}

/** Root's Postgres runs as another account, whose files should lie in here nevertheless. */
const PASSABLE = 0o711;

export async function prepareDeployment(): Promise<Preparation> {
  const [gateway = 0, console = 0, billing = 0, videoWorker = 0, closed = 0] = await findFreePorts(5);
  const upstream = await startFakeUpstream({ acceptedKeys: PROVIDER_KEYS });
  const jobs = await startFakeJobs({ acceptedKeys: PROVIDER_KEYS });
  const directory = await mkdtemp(join(tmpdir(), 'mg-e2e-'));
  await chmod(directory, PASSABLE);
  const configuration = join(directory, 'gateway.yaml');
  await writeFile(configuration, writeConfiguration(upstream.url, jobs.url, closed));
  return {
    upstream,
    jobs,
    directory,
    gatewayUrl: addressOf(gateway),
    consoleUrl: addressOf(console),
    billingUrl: addressOf(billing),
    videoWorkerUrl: addressOf(videoWorker),
    variables: {
      HOST: '127.0.0.1',
      GATEWAY_PORT: String(gateway),
      CONSOLE_PORT: String(console),
      BILLING_PORT: String(billing),
      VIDEO_WORKER_PORT: String(videoWorker),
      DATA_DIR: join(directory, 'data'),
      GATEWAY_CONFIG: configuration,
      METRICS_ENABLED: 'true',
      METRICS_TOKEN: SECRETS.metrics,
      JWT_SECRET: SECRETS.jwt,
      ENCRYPTION_KEY: SECRETS.encryption,
      LOG_LEVEL: 'debug',
    },
    writeConfiguration: (text) => writeFile(configuration, text),
    readConfiguration: () => readFile(configuration, 'utf8'),
    cleanUp: async () => {
      await upstream.close();
      await jobs.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
