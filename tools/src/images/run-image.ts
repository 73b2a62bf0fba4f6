import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, linkSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Target } from '../deploy/read-dockerfile.js';
import { NODE_USER_ID, SYSTEM_PATH } from './execute-stages.js';

/** Where this check puts Node in every image. */
const NODE = 'bin/node';

/** The user of the image, without rights, where this process may become somebody else. */
const AS_USER =
  process.getuid?.() === 0
    ? [
        'setpriv',
        `--reuid=${NODE_USER_ID}`,
        `--regid=${NODE_USER_ID}`,
        '--clear-groups',
        '--no-new-privs',
        '--bounding-set=-all',
      ]
    : [];

/** A target run as a container would be: its command in its folder, with its environment, as its user. */
export class ImageRun {
  readonly #child: ChildProcess;
  readonly #environment: Readonly<Record<string, string>>;
  #output = '';

  /**
   * @param root the folder that stands for the root of the image.
   * @param environment what the container adds to the image's own.
   */
  constructor(
    private readonly root: string,
    private readonly target: Target,
    environment: Readonly<Record<string, string>>,
  ) {
    const own = Object.entries(target.environment).map(([name, value]) => [name, this.#locate(value)]);
    this.#environment = { ...Object.fromEntries(own), ...environment };
    this.#child = this.#spawn(target.command);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
  }

  get output(): string {
    return this.#output;
  }

  /** Waits until the health check of the image succeeds. @throws Error when that takes too long. */
  async waitUntilHealthy(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const [code] = (await once(this.#spawn(this.target.healthCommand), 'exit')) as [number | null];
      if (code === 0) return;
      if (this.#child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`${this.target.command.join(' ')} is not healthy:\n${this.#output.slice(-4_000)}`);
      }
      await delay(200);
    }
  }

  /** Waits for the command to end by itself, or by SIGTERM. Answers its exit code. */
  async end(signal?: 'SIGTERM'): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      if (signal) this.#child.kill(signal);
      await once(this.#child, 'exit');
    }
    return this.#child.exitCode;
  }

  #spawn([program, ...parameters]: readonly string[]): ChildProcess {
    const [first = '', ...rest] = [...AS_USER, this.#findProgram(program), ...parameters];
    return spawn(first, rest, {
      cwd: join(this.root, this.target.workdir),
      env: { PATH: SYSTEM_PATH, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Node is the image's own; the shell of the health check is this machine's. */
  #findProgram(name: string | undefined): string {
    if (name === 'node') return join(this.root, NODE);
    if (name === 'bash') return name;
    throw new Error(`Only Node and its health check run in these images, not ${name}.`);
  }

  /** A path of the image as it is here. */
  #locate(value: string): string {
    return value.startsWith('/') ? join(this.root, value) : value;
  }
}

/** Takes from everybody the right to write to the image, but for its folder for data, and puts Node where the base has it. */
export function sealImage(root: string): void {
  mkdirSync(join(root, 'bin'), { recursive: true });
  linkOrCopy(realpathSync(process.execPath), join(root, NODE));
  execFileSync('chmod', ['-R', 'a-w', join(root, 'app')]);
  chmodSync(root, 0o555);
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    cpSync(source, target);
  }
}

/** Removes images with all that is in them, sealed or not. */
export function removeImages(scratch: string): void {
  execFileSync('chmod', ['-R', 'u+w', scratch]);
  execFileSync('rm', ['-rf', scratch]);
}

/** Bytes of all files below. */
export function measureTree(path: string): number {
  const entry = lstatSync(path);
  if (!entry.isDirectory()) return entry.isSymbolicLink() ? 0 : entry.size;
  return readdirSync(path).reduce((sum, name) => sum + measureTree(join(path, name)), 0);
}
