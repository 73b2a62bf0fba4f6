import type { Channel } from '@mg/contract';

/** Hands out the keys of a channel in turn. Turns are counted for each channel of a snapshot and go with it. */
export class KeyRotation {
  readonly #turns = new WeakMap<Channel, number>();

  /** The channel's next key; `undefined` when it has none. */
  next(channel: Channel): string | undefined {
    const { apiKeys } = channel;
    if (apiKeys.length < 2) return apiKeys[0];
    const turn = this.#turns.get(channel) ?? 0;
    this.#turns.set(channel, turn + 1);
    return apiKeys[turn % apiKeys.length];
  }
}
