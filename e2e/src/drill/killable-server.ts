import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedService } from '@mg/embedded';
import type { TcpProxy } from '@mg/testkit';
import { waitUntil } from '../wait-until.js';

const START_WITHIN_MS = 60_000;
const NO_SUCH_PROCESS = 'ESRCH';

export interface ServerPlan {
  /** Names the server's first process in its first line. */
  readonly pidFile: string;
  start(): Promise<EmbeddedService>;
  /** @param port where it listens; 0 is any that is free. */
  openProxy(url: string, port: number): Promise<TcpProxy>;
}

/** A server that can be killed, with all of its processes, frozen and started again; its address stays the same. */
export class KillableServer {
  private constructor(
    private readonly plan: ServerPlan,
    private service: EmbeddedService,
    private proxy: TcpProxy,
    /** Address before its proxy, which is never another. */
    readonly url: string,
  ) {}

  static async start(plan: ServerPlan): Promise<KillableServer> {
    const service = await plan.start();
    const proxy = await plan.openProxy(service.url, 0);
    return new KillableServer(plan, service, proxy, proxy.url);
  }

  /** Address past the proxy: another one after each start. */
  get directUrl(): string {
    return this.service.url;
  }

  /** Ends it as a power cut does and starts it again. @param whileAway is done before the start. */
  async kill(whileAway: () => void = () => undefined): Promise<void> {
    for (const pid of this.#listProcesses()) signal(pid, 'SIGKILL');
    await this.proxy.close();
    await this.service.stop();
    whileAway();
    // A process of the former life that has not gone yet may keep the server from starting.
    this.service = await waitUntil(
      'the server has started again',
      () => this.plan.start().catch(() => undefined),
      START_WITHIN_MS,
    );
    this.proxy = await this.plan.openProxy(this.service.url, Number(new URL(this.url).port));
  }

  async freeze(forMs: number): Promise<void> {
    const pids = this.#listProcesses();
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await sleep(forMs);
    for (const pid of pids) signal(pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.service.stop();
  }

  #listProcesses(): number[] {
    const first = Number.parseInt(readFileSync(this.plan.pidFile, 'utf8'), 10);
    return [first, ...listChildren(first)];
  }
}

function listChildren(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readParent(name) === parent)
    .map(Number);
}

function readParent(pid: string): number | undefined {
  try {
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(parent);
  } catch {
    // It ended between the list and the look.
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== NO_SUCH_PROCESS) throw error;
  }
}
