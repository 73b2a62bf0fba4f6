import type { Channel } from '@mg/contract';
import { findByAffinity } from '@mg/routing';

/** Hands out the keys of a channel in turn. Turns are counted for each channel of a snapshot and go with it. */
export class KeyRotation {
  readonly #turns = new WeakMap<Channel, number>();

  /**
   * The channel's next key; `undefined` when it has none.
   *
   * @param affinity names a conversation whose calls go with one key.
   */
  next(channel: Channel, affinity?: string): string | undefined {
    const { apiKeys } = channel;
    if (apiKeys.length < 2) return apiKeys[0];
    if (affinity !== undefined) return findByAffinity(affinity, apiKeys, { nameOf, weightOf });
    const turn = this.#turns.get(channel) ?? 0;
    this.#turns.set(channel, turn + 1);
    return apiKeys[turn % apiKeys.length];
  }
}

const nameOf = (apiKey: string) => apiKey;
const weightOf = () => 1;
