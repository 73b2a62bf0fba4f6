import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';

const LAST_OUTPUT_CHARACTERS = 4_000;

/** What is run, and in which surroundings: nothing of the tests' own environment gets there by itself. */
export interface ProgramRun {
  readonly command: string;
  readonly parameters: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Holds what it prints, for those that open their output by name; otherwise that is kept in memory. */
  readonly outputFile?: string;
}

/** A program that may be started, stopped and killed again and again; what it prints is gathered over all its lives. */
export class Program {
  private output = '';
  private child: ChildProcess | undefined;

  constructor(
    readonly name: string,
    private readonly run: ProgramRun,
  ) {}

  get isRunning(): boolean {
    const { child } = this;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** How its latest life ended: `null` while it runs and after a signal. */
  get exitCode(): number | null {
    return this.child?.exitCode ?? null;
  }

  /** @param onEnd called when this run of it has ended, however that came. */
  start(onEnd?: () => void): void {
    const { command, parameters, env, cwd, outputFile } = this.run;
    const file = outputFile === undefined ? undefined : openSync(outputFile, 'a');
    const output = file ?? 'pipe';
    const child = spawn(command, parameters, { cwd, env, stdio: ['ignore', output, output] });
    if (file !== undefined) closeSync(file);
    child.on('error', (error) => (this.output += `${this.name} could not be started: ${error.message}\n`));
    if (onEnd) child.once('exit', onEnd);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes: Buffer) => {
        this.output += bytes.toString();
      });
    }
    this.child = child;
  }

  /** Asks it to end, and kills it when it does not. Answers its exit code. */
  async stop(signal: NodeJS.Signals, withinMs: number): Promise<number | null> {
    if (this.isRunning) {
      const ended = this.waitForEnd();
      this.child?.kill(signal);
      const timer = setTimeout(() => this.child?.kill('SIGKILL'), withinMs);
      await ended;
      clearTimeout(timer);
    }
    return this.exitCode;
  }

  /** Sends it a signal that does not end it, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    const ended = this.waitForEnd();
    this.child?.kill('SIGKILL');
    await ended;
  }

  async waitForEnd(): Promise<void> {
    if (this.child && this.isRunning) await once(this.child, 'exit');
  }

  readOutput(): string {
    const { outputFile } = this.run;
    const isThere = outputFile !== undefined && existsSync(outputFile);
    return isThere ? this.output + readFileSync(outputFile, 'utf8') : this.output;
  }

  readLastOutput(): string {
    return this.readOutput().slice(-LAST_OUTPUT_CHARACTERS);
  }
}
