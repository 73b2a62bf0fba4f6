import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_WITHIN_MS = 60_000;
/**
 * As the images run the planes: neither V8 nor malloc grows into the free memory. The bare proxy and the upstream run as Node
 * does by itself, which is faster: what is compared with is to be as good as it can be made.
 */
const AS_IN_IMAGES = {
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '16384',
  MALLOC_TRIM_THRESHOLD_: '131072',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
};

export interface PlaneStart {
  /** The checkout whose plane is started; it has to be built. */
  readonly root: string;
  readonly plane: string;
  /** Where the plane says that it is ready. */
  readonly port: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of Node. */
  readonly options?: readonly string[];
}

/**
 * Starts a plane from its build, and waits until it is ready.
 *
 * @param children gets the process at once, so that it is ended whatever happens.
 */
export async function startPlane(
  { root, plane, port, env, options = [] }: PlaneStart,
  children: ChildProcess[],
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...options, join(root, 'dist', 'apps', plane, 'main.js')], {
    env: { ...process.env, ...AS_IN_IMAGES, ...env },
    stdio: ['ignore', process.env.BENCH_LOGS ? 'inherit' : 'ignore', options.length > 0 ? 'pipe' : 'inherit'],
  });
  children.push(child);
  await waitUntilAnswered(plane, `http://127.0.0.1:${port}/readyz`, child, ({ ok }) => ok);
  return child;
}

/** Waits until an address answers as wanted. @throws Error when the process ends first or takes too long. */
export async function waitUntilAnswered(
  name: string,
  url: string,
  child: ChildProcess,
  isReady: (answer: Response) => boolean = () => true,
): Promise<void> {
  const untilMs = performance.now() + READY_WITHIN_MS;
  while (performance.now() < untilMs && child.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer && isReady(answer)) return;
    await sleep(50);
  }
  throw new Error(`${name} did not become ready.`);
}

/** Asks a process to end, and kills it when it does not. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(cut);
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
