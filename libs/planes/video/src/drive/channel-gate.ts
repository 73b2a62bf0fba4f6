/** Lets only so many requests of this worker be in progress at one channel. */
export class ChannelGate {
  readonly #inside = new Map<string, number>();

  constructor(private readonly most: number) {}

  hasRoom(channelId: string): boolean {
    return this.#count(channelId) < this.most;
  }

  /** Whether there is room; if so it is taken until `leave`. */
  tryEnter(channelId: string): boolean {
    if (!this.hasRoom(channelId)) return false;
    this.#inside.set(channelId, this.#count(channelId) + 1);
    return true;
  }

  leave(channelId: string): void {
    const inside = (this.#inside.get(channelId) ?? 1) - 1;
    if (inside === 0) this.#inside.delete(channelId);
    else this.#inside.set(channelId, inside);
  }

  #count(channelId: string): number {
    return this.#inside.get(channelId) ?? 0;
  }
}
