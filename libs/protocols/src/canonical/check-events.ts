import type { CanonicalEvent } from './events.js';

/** A stream of canonical events that breaks its own grammar: a fault of our codecs, never of a caller. */
class EventOrderError extends Error {
  override readonly name = 'EventOrderError';
}

/**
 * Watches one reply's events: it starts once, blocks of a choice open and close in order without overlapping, deltas
 * come inside their block, and after exactly one `reply-end` or `fault` nothing follows.
 */
export class EventOrderChecker {
  #started = false;
  #ended = false;
  readonly #open = new Map<number, number>();
  readonly #next = new Map<number, number>();

  /** @throws EventOrderError */
  check(event: CanonicalEvent): void {
    if (this.#ended) throw new EventOrderError(`${event.type} after the end`);
    switch (event.type) {
      case 'reply-start':
        if (this.#started) throw new EventOrderError('a second reply-start');
        this.#started = true;
        return;
      case 'block-start':
        return this.#checkStart(event.choice, event.index);
      case 'block-delta':
        return this.#checkOpen(event.choice, event.index, event.type);
      case 'block-end':
        this.#checkOpen(event.choice, event.index, event.type);
        this.#open.delete(event.choice);
        return;
      case 'choice-end':
        if (this.#open.has(event.choice)) throw new EventOrderError('choice-end inside a block');
        return;
      case 'reply-end':
        if (!this.#started || this.#open.size > 0) throw new EventOrderError('reply-end inside a block');
        this.#ended = true;
        return;
      case 'fault':
        this.#ended = true;
        return;
      case 'usage':
      case 'logprobs':
        return;
      default: {
        const unknown: never = event;
        throw new EventOrderError(`unknown event ${JSON.stringify(unknown)}`);
      }
    }
  }

  #checkStart(choice: number, index: number): void {
    if (!this.#started) throw new EventOrderError('block-start before reply-start');
    if (this.#open.has(choice)) throw new EventOrderError('block-start inside a block');
    const next = this.#next.get(choice) ?? 0;
    if (index !== next) throw new EventOrderError(`block ${index} where ${next} was due`);
    this.#open.set(choice, index);
    this.#next.set(choice, next + 1);
  }

  #checkOpen(choice: number, index: number, what: string): void {
    if (this.#open.get(choice) !== index) throw new EventOrderError(`${what} outside its block`);
  }
}
