import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import type { Target } from './drive-load.js';
import { listChildren } from './measure-process.js';
import { startNginx } from './start-nginx.js';
import { endProcess, findFreePort, startPlane, waitUntilAnswered } from './start-plane.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const API_KEY = 'sk-bench-0123456789abcdef';
export interface FleetOptions {
  /** The checkout whose planes are started; it has to be built. */
  readonly root?: string;
  /** As GATEWAY_WORKERS. */
  readonly workers?: number;
  /** Environment variables of the planes, in place of those that they are run with. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether key and channels have limits, of every kind and far beyond the load. */
  readonly limits?: boolean;
  /** Whether the gateway can be looked into while it runs. */
  readonly inspects?: boolean;
}

export interface Fleet {
  readonly targets: readonly Target[];
  readonly gatewayPid: number;
  /** Where the gateway can be looked into. */
  readonly inspectorUrl: string | undefined;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

/** Starts everything that is measured, each in a process of its own: upstream, bare proxy, and the planes on real services. */
export async function startFleet(
  models: readonly string[],
  { root = ROOT, workers = 1, limits = false, inspects = false, environment = {} }: FleetOptions = {},
): Promise<Fleet> {
  const directory = await mkdtemp(join(tmpdir(), 'model-gateway-bench-'));
  const children: ChildProcess[] = [];
  const earlier = new Set(listChildren());
  const services: { stop(): Promise<void> }[] = [];
  async function stop(): Promise<void> {
    await Promise.all(children.map(endProcess));
    for (const service of services) await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
  try {
    const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
    services.push(postgres);
    const redis = await startEmbeddedRedis({ directory: join(directory, 'redis') });
    services.push(redis);
    const upstream = await forkAndAskPort('mock-upstream.js', {}, children);
    const bare = await forkAndAskPort('bare-proxy.js', { UPSTREAM_PORT: String(upstream.port) }, children);
    const configuration = join(directory, 'bench.yaml');
    await writeFile(configuration, writeConfiguration(models, upstream.port, limits));
    const gateway = await startPlanes(
      root,
      {
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        DATA_DIR: directory,
        GATEWAY_CONFIG: configuration,
        JWT_SECRET: 'bench-secret-bench-secret-bench-secret',
        ENCRYPTION_KEY: 'bench-secret-bench-secret-bench-secret',
        METRICS_ENABLED: 'true',
        GATEWAY_WORKERS: String(workers),
        HOST: '127.0.0.1',
        ...environment,
      },
      children,
      inspects,
    );
    const nginx = await startNginxProxy(join(directory, 'nginx'), upstream.port, children);
    const others = new Set([upstream.pid, bare.pid, nginx?.pid]);
    const ours = listChildren().filter((pid) => !others.has(pid) && !earlier.has(pid));
    return {
      gatewayPid: gateway.pid,
      inspectorUrl: gateway.inspectorUrl,
      databaseUrl: postgres.url,
      stop,
      targets: listTargets({ upstream, nginx, bare, gateway }, ours),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Process {
  readonly port: number;
  readonly pid: number;
}

interface Processes {
  readonly upstream: Process;
  readonly nginx: Process | undefined;
  readonly bare: Process;
  readonly gateway: Process;
}

function listTargets({ upstream, nginx, bare, gateway }: Processes, ours: readonly number[]): Target[] {
  const path = '/v1/chat/completions';
  const passed = { path, apiKey: 'none' } as const;
  const direct = { ...passed, origin: originOf(upstream), pid: undefined, allPids: [] };
  const proxied = (process: Process) => ({
    ...passed,
    origin: originOf(process),
    pid: process.pid,
    allPids: [process.pid],
  });
  const billed = { origin: originOf(gateway), apiKey: API_KEY, pid: gateway.pid, allPids: ours };
  return [
    { ...direct, name: 'direct', modelPrefix: '' },
    ...(nginx ? [{ ...proxied(nginx), name: 'nginx', modelPrefix: '' } as const] : []),
    { ...proxied(bare), name: 'bare', modelPrefix: 'bench-' },
    { ...billed, name: 'gateway', path, modelPrefix: 'bench-' },
    { ...billed, name: 'to-messages', path, modelPrefix: 'messages-' },
    { ...billed, name: 'to-chat', path: '/v1/messages', modelPrefix: 'bench-' },
  ];
}

/** `undefined` where there is no nginx to be had, which is said. */
async function startNginxProxy(
  directory: string,
  upstreamPort: number,
  children: ChildProcess[],
): Promise<Process | undefined> {
  const port = await findFreePort();
  let child: ChildProcess;
  try {
    child = await startNginx({ port, upstreamPort, directory });
  } catch (error) {
    process.stderr.write(`Without nginx: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
  children.push(child);
  await waitUntilAnswered('nginx', `http://127.0.0.1:${port}/`, child);
  return { port, pid: child.pid ?? 0 };
}

function originOf({ port }: Process): string {
  return `http://127.0.0.1:${port}`;
}

async function forkAndAskPort(
  file: string,
  env: Record<string, string>,
  children: ChildProcess[],
): Promise<Process> {
  const child = fork(join(HERE, file), { env: { ...process.env, ...env } });
  children.push(child);
  const [message] = (await once(child, 'message')) as [{ port: number }];
  return { port: message.port, pid: child.pid ?? 0 };
}

/** Billing and console first, then the gateway. The console has done its work once it has read the configuration. */
async function startPlanes(
  root: string,
  environment: Record<string, string>,
  children: ChildProcess[],
  inspects: boolean,
): Promise<Process & { readonly inspectorUrl: string | undefined }> {
  const env = {
    ...environment,
    BILLING_PORT: String(await findFreePort()),
    CONSOLE_PORT: String(await findFreePort()),
    GATEWAY_PORT: String(await findFreePort()),
  };
  const start = (plane: string, port: string, options: readonly string[] = []): Promise<ChildProcess> =>
    startPlane({ root, plane, port, env, options }, children);
  await start('billing', env.BILLING_PORT);
  const console = await start('console', env.CONSOLE_PORT);
  const gateway = await start('gateway', env.GATEWAY_PORT, inspects ? ['--inspect=127.0.0.1:0'] : []);
  await endProcess(console);
  return {
    port: Number(env.GATEWAY_PORT),
    pid: gateway.pid ?? 0,
    inspectorUrl: gateway.stderr ? await readInspectorUrl(gateway.stderr) : undefined,
  };
}

/** Node prints it first of all. */
async function readInspectorUrl(errors: Readable): Promise<string> {
  const [text] = (await once(errors, 'data')) as [Buffer];
  errors.pipe(process.stderr);
  const [, url] = /listening on (ws:\S+)/.exec(text.toString()) ?? [];
  if (url === undefined) throw new Error('The gateway cannot be looked into.');
  return url;
}

/** Of every kind, and none is ever near. */
const AMPLE_LIMITS = { rpm: 10_000_000, rpd: 1_000_000_000, tpm: 10_000_000_000, concurrency: 100_000 };

function writeConfiguration(models: readonly string[], upstreamPort: number, isLimited: boolean): string {
  const limited = isLimited ? { limits: AMPLE_LIMITS } : {};
  const namedAfter = (prefix: string) => Object.fromEntries(models.map((model) => [prefix + model, model]));
  const upstream = { base_url: `http://127.0.0.1:${upstreamPort}`, api_key: 'sk-bench-upstream' };
  return JSON.stringify({
    admin: { email: 'bench@example.com', password: 'bench-password' },
    channels: [
      { ...upstream, ...limited, name: 'chat', type: 'openai-compatible', models: namedAfter('bench-') },
      { ...upstream, ...limited, name: 'messages', type: 'anthropic', models: namedAfter('messages-') },
    ],
    models: ['bench-', 'messages-'].flatMap((prefix) =>
      models.map((model) => ({
        slug: prefix + model,
        kind: 'chat',
        price: { input_per_million: '0.25', output_per_million: '2.00' },
      })),
    ),
    wallets: [{ name: 'bench', balance: '100000' }],
    tokens: [{ ...limited, name: 'bench', wallet: 'bench', key: API_KEY }],
  });
}
