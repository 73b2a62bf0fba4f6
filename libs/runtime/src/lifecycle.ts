import { closeInOrder, type CloseStep } from './close-in-order.js';
import type { Logger } from './logger.js';

/** Phases in which a plane stops, first to last; what is in one phase closes at once. */
export const STOP_ORDER = [
  /** Takes no new work and finishes what has begun: HTTP requests, messages of other planes, jobs. */
  'intake',
  /** Rounds of work and subscriptions that nobody waits for. */
  'background',
  /** Writes what is buffered. */
  'writers',
  /** Connections to upstreams and other planes. */
  'clients',
  'database',
  /** Where it has a server of its own: `/healthz` answers as long as the process works. */
  'health',
] as const;

export type StopPhase = (typeof STOP_ORDER)[number];

interface Closable {
  close(): unknown;
}

/**
 * The life of a plane: it starts, is ready, drains and has stopped. Whatever it opens is handed over at once, so that a start
 * that fails half-way closes as much, in the same order and within the same bounds, as a stop.
 */
export class Lifecycle<Phase extends string = StopPhase> {
  readonly #steps = new Map<Phase, CloseStep[]>();
  #state: 'starting' | 'ready' | 'draining' = 'starting';
  #stopping: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly order: readonly Phase[],
    private readonly logger: Logger,
  ) {}

  /** Why the plane takes no work in this state of its life, for `/readyz`; `undefined` once it is ready. */
  get obstacle(): string | undefined {
    return this.#state === 'ready' ? undefined : `The ${this.name} plane is ${this.#state}.`;
  }

  /** Closes a part in its phase. */
  onStop(phase: Phase, step: CloseStep): void {
    const steps = this.#steps.get(phase) ?? [];
    this.#steps.set(phase, [...steps, step]);
  }

  /** Hands over an open part. @param withinMs how long its `close` may take; a second when left out. @returns the part. */
  own<Part extends Closable>(phase: Phase, name: string, part: Part, withinMs?: number): Part {
    this.onStop(phase, { name, close: () => part.close(), withinMs });
    return part;
  }

  markReady(): void {
    this.#state = 'ready';
  }

  /** Drains and closes everything, once. @throws Error when something is lost with a required part. */
  stop(): Promise<void> {
    this.#state = 'draining';
    this.#stopping ??= this.#closeAll();
    return this.#stopping;
  }

  async #closeAll(): Promise<void> {
    const groups = this.order.map((phase) => this.#steps.get(phase) ?? []);
    const lost = await closeInOrder(groups, this.logger);
    if (lost.length > 0) throw new Error(`The ${this.name} plane stopped with a loss: ${lost.join('; ')}.`);
  }
}
