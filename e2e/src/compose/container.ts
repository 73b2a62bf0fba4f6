import { setTimeout as sleep } from 'node:timers/promises';
import { Program, type ProgramRun } from '../deployment/program.js';
import { checkHealth } from './check-health.js';
import type { ComposeService } from './read-compose-file.js';

export interface ContainerPlan {
  /** `gateway-1`, as Docker Compose numbers them. */
  readonly name: string;
  readonly service: string;
  readonly address: string;
  readonly settings: ComposeService;
  readonly run: ProgramRun;
  readonly stopSignal: NodeJS.Signals;
}

/** Docker waits so long before it restarts what has ended. */
const RESTART_AFTER_MS = 100;
/** Sooner than the file says, which changes nothing but how long we wait. Each check is a process of its own. */
const CHECK_EVERY_MS = 700;
/** A machine that is busy with tests is given so many times what the file allows. */
const PATIENCE = 2;

/** A process in the place of a container: the command, environment, health check and restart policy of its service. */
export class Container {
  readonly #program: Program;
  #mayEnd = true;
  #restarting: NodeJS.Timeout | undefined;
  readonly #unexpectedEnds: string[] = [];

  constructor(readonly plan: ContainerPlan) {
    this.#program = new Program(plan.name, plan.run);
  }

  get isRunning(): boolean {
    return this.#program.isRunning;
  }

  /** How it ended each time that it was neither stopped nor killed by us: its name, how, and what it printed last. */
  get unexpectedEnds(): readonly string[] {
    return this.#unexpectedEnds;
  }

  readOutput(): string {
    return this.#program.readOutput();
  }

  start(): void {
    // What runs once and fails has failed here: it is not tried again.
    this.#mayEnd = /^(no|on-failure)/.test(this.plan.settings.restart);
    this.#program.start(() => this.#onEnd());
  }

  /** @throws Error with the last output when the checks fail for much longer than the file allows. */
  async waitUntilHealthy(): Promise<void> {
    const { name, settings, address, run } = this.plan;
    const check = settings.healthcheck;
    if (!check) throw new Error(`${name} has no health check.`);
    const allowedMs = PATIENCE * (check.start_period + check.retries * check.interval);
    const deadline = Date.now() + allowedMs;
    do {
      if (Date.now() > deadline) throw this.#toError(`was not healthy after ${allowedMs} ms`);
      await sleep(CHECK_EVERY_MS);
    } while (!(this.isRunning && (await checkHealth(check, { address, run }))));
  }

  /** Waits for the end of what runs once. @throws Error with the last output when it failed. */
  async waitUntilCompleted(): Promise<void> {
    await this.#program.waitForEnd();
    if (this.#program.exitCode !== 0) throw this.#toError(`ended with ${this.#program.exitCode}`);
  }

  /** What `docker compose stop` does. Answers the exit code. */
  stop(): Promise<number | null> {
    clearTimeout(this.#restarting);
    this.#mayEnd = true;
    return this.#program.stop(this.plan.stopSignal, this.plan.settings.stop_grace_period);
  }

  /** Kills the process, as the kernel does when memory runs out; the restart policy brings it back. */
  async kill(): Promise<void> {
    this.#mayEnd = true;
    await this.#program.kill();
    this.#mayEnd = false;
    this.#restart();
  }

  #onEnd(): void {
    if (this.#mayEnd) return;
    const { exitCode } = this.#program;
    const how = exitCode === null ? 'by a signal' : `with ${exitCode}`;
    this.#unexpectedEnds.push(`${this.plan.name} ended ${how}: ${this.#program.readLastOutput()}`);
    this.#restart();
  }

  #restart(): void {
    this.#restarting = setTimeout(() => this.start(), RESTART_AFTER_MS);
  }

  #toError(what: string): Error {
    return new Error(`${this.plan.name} ${what}:\n${this.#program.readLastOutput()}`);
  }
}
