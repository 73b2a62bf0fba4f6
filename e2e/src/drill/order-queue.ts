import { waitUntil } from '../wait-until.js';
import type { Order } from './plan-orders.js';

const RELEASED_WITHIN_MS = 600_000;

/** Orders in their sequence, handed out batch by batch, so that the load lasts as long as the incidents do. */
export class OrderQueue {
  #begun = 0;
  #released = 0;

  constructor(private readonly orders: readonly Order[]) {}

  /** Orders that somebody has begun. */
  get begun(): number {
    return this.#begun;
  }

  /** Lets orders up to this share of all be begun. */
  release(share: number): void {
    this.#released = Math.ceil(share * this.orders.length);
  }

  async waitUntilBegun(share: number): Promise<void> {
    const wanted = Math.min(this.orders.length, Math.floor(share * this.orders.length));
    await waitUntil(`${wanted} orders are begun`, () => this.#begun >= wanted, RELEASED_WITHIN_MS);
  }

  /** The next order, once it is released; `undefined` when there is none. */
  async take(): Promise<Order | undefined> {
    await waitUntil(
      'orders are released',
      () => this.#begun < this.#released || this.#begun >= this.orders.length,
      RELEASED_WITHIN_MS,
    );
    return this.orders[this.#begun++];
  }
}
