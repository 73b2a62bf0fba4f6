import type { Block } from './blocks.js';
import type { EventWriter } from './event-writer.js';
import type { BlockDelta } from './events.js';

interface WaitingBlock {
  readonly block: Block;
  readonly deltas: BlockDelta[];
  closed: boolean;
}

/**
 * Brings blocks that an upstream sends side by side into one row: the first is passed on as it comes, the others wait
 * until it closes.
 */
export class BlockQueue {
  readonly #writer: EventWriter;
  readonly #choice: number;
  readonly #waiting = new Map<string, WaitingBlock>();
  #live: string | undefined;

  constructor(writer: EventWriter, choice: number) {
    this.#writer = writer;
    this.#choice = choice;
  }

  open(key: string, block: Block): void {
    if (this.#live !== undefined) {
      this.#waiting.set(key, { block, deltas: [], closed: false });
      return;
    }
    this.#live = key;
    this.#writer.open(this.#choice, block);
  }

  delta(key: string, delta: BlockDelta): void {
    if (this.#live === key) this.#writer.delta(this.#choice, delta);
    else this.#waiting.get(key)?.deltas.push(delta);
  }

  close(key: string): void {
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.closed = true;
    if (this.#live !== key) return;
    this.#writer.close(this.#choice);
    this.#live = undefined;
    this.#promote();
  }

  /** Closes what is open and passes on all that waits. */
  closeAll(): void {
    for (const waiting of this.#waiting.values()) waiting.closed = true;
    if (this.#live !== undefined) this.close(this.#live);
  }

  #promote(): void {
    for (const [key, { block, deltas, closed }] of this.#waiting) {
      this.#waiting.delete(key);
      this.#writer.open(this.#choice, block);
      for (const delta of deltas) this.#writer.delta(this.#choice, delta);
      if (!closed) {
        this.#live = key;
        return;
      }
      this.#writer.close(this.#choice);
    }
  }
}
