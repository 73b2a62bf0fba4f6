import { existsSync } from 'node:fs';
import { inheritEnvironment } from './inherit-environment.js';
import { Program } from './program.js';
import { REPOSITORY } from './repository.js';

/** As `npm start` and the images set them: tools/src/memory-settings.mjs. */
const AS_DEPLOYED = {
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '16384',
  MALLOC_TRIM_THRESHOLD_: '131072',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
};
/** As `npm start` sets them. */
const MONOLITH_OPTIONS = ['--concurrent-marking-max-worker-num=1'];
const STOP_TIMEOUT_MS = 20_000;

/** A plane running as a process of its own, from its build. */
export class PlaneProcess {
  private readonly program: Program;

  /** Starts `dist/apps/<name>/main.js` with nothing in its environment but the given variables and what it needs to run. */
  constructor(
    readonly name: string,
    variables: Readonly<Record<string, string>>,
    private readonly readyUrl: string,
  ) {
    const main = `${REPOSITORY}dist/apps/${name}/main.js`;
    if (!existsSync(main)) throw new Error(`dist/apps/${name}/main.js is missing: build the apps first`);
    const env = { ...AS_DEPLOYED, ...inheritEnvironment(), ...variables };
    const parameters = [...(name === 'monolith' ? MONOLITH_OPTIONS : []), main];
    this.program = new Program(name, { command: process.execPath, parameters, env, cwd: REPOSITORY });
    this.program.start();
  }

  get isRunning(): boolean {
    return this.program.isRunning;
  }

  get pid(): number {
    return this.program.pid ?? 0;
  }

  readOutput(): string {
    return this.program.readOutput();
  }

  /** Whether the plane says now that it can serve. */
  async isReady(): Promise<boolean> {
    try {
      const response = await fetch(this.readyUrl, { signal: AbortSignal.timeout(2_000) });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }

  /** Waits until the plane says that it can serve. @throws Error with the last output, when it ends or takes too long. */
  async waitUntilReady(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await this.isReady())) {
      const output = this.program.readLastOutput();
      if (!this.isRunning) throw new Error(`${this.name} ended before it was ready:\n${output}`);
      if (Date.now() > deadline) {
        throw new Error(`${this.name} was not ready after ${timeoutMs} ms:\n${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Asks the process to end as an operator does, and kills it when it does not. Answers its exit code. */
  stop(): Promise<number | null> {
    return this.program.stop('SIGTERM', STOP_TIMEOUT_MS);
  }

  /** Freezes the process and lets it go on: SIGSTOP, SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.program.signal(signal);
  }

  /** Ends the process as a power cut does. */
  kill(): Promise<void> {
    return this.program.kill();
  }

  /** Ends the process as a power cut does, and starts it again. */
  async crash(): Promise<void> {
    await this.kill();
    this.program.start();
  }
}
