import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlaneProcess } from '../deployment/plane-process.js';
import { waitUntil } from '../wait-until.js';

const CHECK_EVERY_MS = 100;
const READY_WITHIN_MS = 180_000;
const CLOCK = new URL('shift-clock.ts', import.meta.url).href;

export interface PlanePlan {
  /** Its folder in `dist/apps`. */
  readonly kind: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly url: string;
  /** Says by how many milliseconds its clock is wrong. */
  readonly clockFile: string;
}

/** A plane under a supervisor, as Compose and Kubernetes are: whenever it ends it is started again. Its clock can be set. */
export class SupervisedPlane {
  readonly #plan: PlanePlan;
  readonly #process: PlaneProcess;
  readonly #supervision: Promise<void>;
  #isStopping = false;

  constructor(plan: PlanePlan) {
    this.#plan = plan;
    this.#setClock(0);
    const variables = {
      ...plan.variables,
      NODE_OPTIONS: `--max-semi-space-size=8 --import ${CLOCK}`,
      CLOCK_OFFSET_FILE: plan.clockFile,
    };
    this.#process = new PlaneProcess(plan.kind, variables, `${plan.url}/readyz`);
    this.#supervision = this.#supervise();
  }

  async waitUntilReady(): Promise<void> {
    await waitUntil(`${this.#plan.url} is ready`, () => this.#process.isReady(), READY_WITHIN_MS);
  }

  /** Ends it as a power cut does, and waits until it is ready in its next epoch. */
  async kill(): Promise<void> {
    await this.#process.kill();
    await sleep(CHECK_EVERY_MS);
    await this.waitUntilReady();
  }

  async freeze(forMs: number): Promise<void> {
    this.#process.signal('SIGSTOP');
    await sleep(forMs);
    this.#process.signal('SIGCONT');
  }

  /** Sets its clock wrong for a while. */
  async jump(offsetMs: number, forMs: number): Promise<void> {
    this.#setClock(offsetMs);
    await sleep(forMs);
    this.#setClock(0);
  }

  readOutput(): string {
    return this.#process.readOutput();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#supervision;
    this.#process.signal('SIGCONT');
    await this.#process.stop();
  }

  #setClock(offsetMs: number): void {
    writeFileSync(this.#plan.clockFile, String(Math.round(offsetMs)));
  }

  async #supervise(): Promise<void> {
    while (!this.#isStopping) {
      if (!this.#process.isRunning) await this.#process.crash();
      await sleep(CHECK_EVERY_MS);
    }
  }
}
