import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const STOP_TIMEOUT_MS = 20_000;
const LAST_OUTPUT_CHARACTERS = 4_000;

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** A plane running as a process of its own, from its build. */
export class PlaneProcess {
  private output = '';

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
  ) {
    const keep = (bytes: Buffer): void => {
      this.output += bytes.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  }

  /** Starts `dist/apps/<name>/main.js` with nothing in its environment but the given variables and PATH. */
  static start(name: string, variables: Readonly<Record<string, string>>): PlaneProcess {
    const main = `${REPOSITORY}dist/apps/${name}/main.js`;
    if (!existsSync(main)) throw new Error(`dist/apps/${name}/main.js is missing: build the apps first`);
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [main], {
      cwd: REPOSITORY,
      env: { PATH, HOME, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new PlaneProcess(name, child);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  readOutput(): string {
    return this.output;
  }

  /** Waits until an address answers 200. @throws Error with the last output, when the process ends or takes too long. */
  async waitUntilReady(url: string, timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await answersOk(url))) {
      if (!this.isRunning) throw new Error(`${this.name} ended before it was ready:\n${this.lastOutput()}`);
      if (Date.now() > deadline) {
        throw new Error(`${this.name} was not ready after ${timeoutMs} ms:\n${this.lastOutput()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Asks the process to end as an operator does, and kills it when it does not. Answers its exit code. */
  async stop(): Promise<number | null> {
    if (this.isRunning) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    }
    return this.child.exitCode;
  }

  private lastOutput(): string {
    return this.output.slice(-LAST_OUTPUT_CHARACTERS);
  }
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
