import type { Environment } from '@mg/contract';
import type { Logger } from '../logger.js';
import { RestartPolicy } from './restart-policy.js';
import type { MessageFromWorker } from './worker-messages.js';
import type { WorkerEnd, WorkerProcess } from './worker-process.js';
import type { WorkerScrapes } from './worker-scrapes.js';

const CHECK_EVERY_MS = 5_000;
/**
 * A worker that says nothing for so many checks is killed and replaced: a minute, after which billing takes its calls for lost. Checks
 * are counted and not time, so that nobody is killed when the whole machine was paused.
 */
const SILENT_CHECKS = 12;
/** What a worker needs after its drain to write down what is left. */
const STOP_MARGIN_MS = 11_000;
/** A process that is killed ends soon. */
const KILL_MARGIN_MS = 1_000;

export interface WorkerPoolOptions {
  /** How many workers there are. */
  readonly count: number;
  /** What each of them is started with. */
  readonly environment: Environment;
  readonly fork: () => WorkerProcess;
  readonly scrapes: WorkerScrapes;
  readonly logger: Logger;
  /** Called once when workers end again and again: this process should end too. */
  readonly onGiveUp: () => void;
  readonly policy?: RestartPolicy;
}

interface Slot {
  readonly number: number;
  process: WorkerProcess | undefined;
  isReady: boolean;
  silentChecks: number;
  restart: NodeJS.Timeout | undefined;
}

/**
 * The workers of a primary: started together, replaced when they end or are silent for a minute, stopped together. It serves nothing
 * itself. docs/decisions/0024-workers.md.
 */
export class WorkerPool {
  /** How long `stop` may take, in milliseconds. */
  readonly stopsWithinMs: number;
  readonly #options: WorkerPoolOptions;
  readonly #policy: RestartPolicy;
  readonly #slots: readonly Slot[];
  readonly #losses: string[] = [];
  #checking: NodeJS.Timeout | undefined;
  #starting: PromiseWithResolvers<string | undefined> | undefined;
  #onEmpty: (() => void) | undefined;
  #isStopping = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#policy = options.policy ?? new RestartPolicy();
    this.stopsWithinMs = options.environment.DRAIN_TIMEOUT_SECONDS * 1_000 + STOP_MARGIN_MS + KILL_MARGIN_MS;
    this.#slots = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      process: undefined,
      isReady: false,
      silentChecks: 0,
      restart: undefined,
    }));
  }

  /**
   * Starts all workers and waits until each serves. @returns the address that they share.
   *
   * @throws Error when one of them ends before, and the reason of the signal.
   */
  async start(signal?: AbortSignal): Promise<string | undefined> {
    const starting = Promise.withResolvers<string | undefined>();
    this.#starting = starting;
    const abort = () => starting.reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort);
    this.#checking = setInterval(() => this.#checkSilence(), CHECK_EVERY_MS);
    for (const slot of this.#slots) this.#startWorker(slot);
    try {
      signal?.throwIfAborted();
      return await starting.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#starting = undefined;
    }
  }

  /**
   * Drains all workers; those that have not ended in time are killed.
   *
   * @throws Error when one lost something, or workers were not replaced any more.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#checking);
    for (const { restart } of this.#slots) clearTimeout(restart);
    const kill = setTimeout(() => this.#signalAll('SIGKILL'), this.stopsWithinMs - KILL_MARGIN_MS);
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    this.#signalAll('SIGTERM');
    if (this.#running.length > 0) await empty;
    clearTimeout(kill);
    if (this.#losses.length > 0) throw new Error(this.#losses.join('; '));
  }

  get #running(): readonly Slot[] {
    return this.#slots.filter(({ process }) => process !== undefined);
  }

  #signalAll(signal: 'SIGTERM' | 'SIGKILL'): void {
    for (const { process } of this.#slots) process?.kill(signal);
  }

  #startWorker(slot: Slot): void {
    const process = this.#options.fork();
    Object.assign(slot, { process, isReady: false, silentChecks: 0, restart: undefined });
    process.onMessage((message) => this.#receive(slot, process, message));
    process.onEnd((end) => this.#noteEnd(slot, process, end));
  }

  #receive(slot: Slot, process: WorkerProcess, message: MessageFromWorker): void {
    slot.silentChecks = 0;
    if (message.type === 'loaded') {
      const { environment, count } = this.#options;
      process.send({ type: 'start', environment, number: slot.number, of: count });
    } else if (message.type === 'ready') {
      slot.isReady = true;
      this.#options.scrapes.add(slot.number, process);
      if (this.#slots.every(({ isReady }) => isReady)) this.#starting?.resolve(message.address);
    } else if (message.type === 'metrics') {
      this.#options.scrapes.take(slot.number, message);
    } else if (message.type === 'ask-metrics') {
      void this.#sendMetrics(process, message.id);
    }
  }

  /** Whoever gets none says so after some seconds. */
  async #sendMetrics(process: WorkerProcess, id: number): Promise<void> {
    try {
      process.send({ type: 'all-metrics', id, text: await this.#options.scrapes.write() });
    } catch (error) {
      this.#options.logger.error({ err: error }, 'metrics of the workers cannot be added up');
    }
  }

  #noteEnd(slot: Slot, { pid }: WorkerProcess, end: WorkerEnd): void {
    const wasReady = slot.isReady;
    Object.assign(slot, { process: undefined, isReady: false });
    this.#options.scrapes.end(slot.number);
    if (this.#isStopping) {
      // One that had not begun to serve has nothing to lose.
      if (end.code !== 0 && wasReady) this.#losses.push(`worker ${slot.number} ${describeEnd(end)}`);
      if (this.#running.length === 0) this.#onEmpty?.();
    } else if (this.#starting) {
      const reason = `Worker ${slot.number} ${describeEnd(end)} before it was ready: its own lines say why.`;
      this.#starting.reject(new Error(reason));
    } else {
      this.#options.logger.error(
        { worker: slot.number, worker_pid: pid, ...end },
        'a worker has ended, and its calls with it',
      );
      this.#replace(slot);
    }
  }

  #replace(slot: Slot): void {
    this.#options.scrapes.countRestart();
    const pauseMs = this.#policy.noteEnd();
    if (pauseMs !== undefined) {
      slot.restart = setTimeout(() => this.#startWorker(slot), pauseMs);
      return;
    }
    if (this.#losses.length > 0) return;
    this.#losses.push('workers end again and again');
    this.#options.logger.fatal('workers end again and again: this process ends, too');
    this.#options.onGiveUp();
  }

  #checkSilence(): void {
    for (const slot of this.#running) {
      slot.silentChecks += 1;
      if (slot.silentChecks <= SILENT_CHECKS) continue;
      const { number, process } = slot;
      this.#options.logger.error(
        { worker: number, worker_pid: process?.pid },
        'a worker has not reported for a minute and is killed',
      );
      process?.kill('SIGKILL');
    }
  }
}

function describeEnd({ code, signal }: WorkerEnd): string {
  return signal === null ? `ended with ${code}` : `was ended by ${signal}`;
}
