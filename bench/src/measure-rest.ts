import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres, startEmbeddedRedis } from '@mg/embedded';
import { listChildren, readCpuOfTrees, readCpuUsSince } from './measure-process.js';
import { endProcess, findFreePort, startPlane } from './start-plane.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** As many of each as the README starts with Docker Compose, and where each says that it is ready. */
const PLANES = [
  { plane: 'billing', variable: 'BILLING_PORT', count: 1 },
  { plane: 'console', variable: 'CONSOLE_PORT', count: 1 },
  { plane: 'gateway', variable: 'GATEWAY_PORT', count: 2 },
  { plane: 'video-worker', variable: 'VIDEO_WORKER_PORT', count: 3 },
] as const;
/** By then the garbage of the start has been collected. */
const SETTLED_AFTER_MS = 30_000;
/** As in docker-compose.yml. */
const HEALTH_EVERY_MS = 10_000;
const MS_PER_SECOND = 1_000;
const US_PER_SECOND = 1_000_000;
const SECRET = 'rest-secret-rest-secret-rest-secret';
const CONFIGURATION = JSON.stringify({
  admin: { email: 'rest@example.com', password: 'rest-password' },
  channels: [{ name: 'sandbox', type: 'sandbox', models: ['sandbox-chat'] }],
  models: [
    { slug: 'sandbox-chat', kind: 'chat', price: { input_per_million: '1', output_per_million: '1' } },
  ],
});

/** A service or a plane. */
interface Part {
  readonly name: string;
  readonly pids: readonly number[];
}

interface Stack {
  readonly parts: Part[];
  readonly ports: string[];
  readonly children: ChildProcess[];
  readonly services: { stop(): Promise<void> }[];
}

/**
 * Starts the whole stack as processes, calls nobody, and prints what each part uses of a core for so many seconds, while its
 * health is asked for. What an engine needs to start health checks in containers is not in it: `npm run engine` has that.
 */
export async function measureRest(seconds: number, print: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'model-gateway-rest-'));
  const stack: Stack = { parts: [], ports: [], children: [], services: [] };
  try {
    await startStack(directory, stack);
    await sleep(SETTLED_AFTER_MS);
    const asking = setInterval(() => void askHealth(stack.ports), HEALTH_EVERY_MS);
    const before = stack.parts.map(({ pids }) => readCpuOfTrees(pids));
    await sleep(seconds * MS_PER_SECOND);
    const used = stack.parts.map(({ pids }, index) => readCpuUsSince(before[index] ?? new Map(), pids));
    clearInterval(asking);
    const show = (us: number, name: string) =>
      print(`${((100 * us) / (seconds * US_PER_SECOND)).toFixed(2).padStart(6)} %  ${name}`);
    stack.parts.forEach(({ name }, index) => show(used[index] ?? 0, name));
    show(
      used.reduce((sum, us) => sum + us, 0),
      'of a core in all',
    );
  } finally {
    await Promise.all(stack.children.map(endProcess));
    for (const service of stack.services.toReversed()) await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** @param stack gets each part as soon as it is there, so that all are ended whatever happens. */
async function startStack(directory: string, { parts, ports, children, services }: Stack): Promise<void> {
  const note = async <Service extends Stack['services'][number]>(
    name: string,
    starting: () => Promise<Service>,
  ): Promise<Service> => {
    const earlier = new Set(listChildren());
    const service = await starting();
    services.push(service);
    parts.push({ name, pids: listChildren().filter((pid) => !earlier.has(pid)) });
    return service;
  };
  const postgres = await note('postgres', () =>
    startEmbeddedPostgres({ directory: join(directory, 'postgres') }),
  );
  const redis = await note('redis', () => startEmbeddedRedis({ directory: join(directory, 'redis') }));
  const configuration = join(directory, 'rest.yaml');
  await writeFile(configuration, CONFIGURATION);
  const shared = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    DATA_DIR: directory,
    GATEWAY_CONFIG: configuration,
    JWT_SECRET: SECRET,
    ENCRYPTION_KEY: SECRET,
    METRICS_ENABLED: 'true',
    LEASES: 'on',
    HOST: '127.0.0.1',
  };
  for (const { plane, variable, count } of PLANES) {
    for (let number = 1; number <= count; number++) {
      const port = String(await findFreePort());
      const env = { ...shared, INSTANCE_ID: `${plane}-${number}`, [variable]: port };
      const { pid = 0 } = await startPlane({ root: ROOT, plane, port, env }, children);
      parts.push({ name: `${plane} ${number}`, pids: [pid] });
      ports.push(port);
    }
  }
}

async function askHealth(ports: readonly string[]): Promise<void> {
  for (const port of ports) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
  }
}
