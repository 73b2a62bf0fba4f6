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
  private child: ChildProcess;

  /** Starts `dist/apps/<name>/main.js` with nothing in its environment but the given variables and PATH. */
  constructor(
    readonly name: string,
    private readonly variables: Readonly<Record<string, string>>,
    private readonly readyUrl: string,
  ) {
    this.child = this.spawn();
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  readOutput(): string {
    return this.output;
  }

  /** Waits until the plane says that it can serve. @throws Error with the last output, when it ends or takes too long. */
  async waitUntilReady(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await answersOk(this.readyUrl))) {
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

  /** Ends the process as a power cut does, and starts it again. */
  async crash(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    this.child = this.spawn();
  }

  private spawn(): ChildProcess {
    const main = `${REPOSITORY}dist/apps/${this.name}/main.js`;
    if (!existsSync(main)) throw new Error(`dist/apps/${this.name}/main.js is missing: build the apps first`);
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [main], {
      cwd: REPOSITORY,
      env: { PATH, HOME, ...this.variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes: Buffer) => {
        this.output += bytes.toString();
      });
    }
    return child;
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
