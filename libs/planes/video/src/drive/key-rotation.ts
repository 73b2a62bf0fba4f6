import { type Channel, sha256 } from '@mg/contract';

/** Gives a channel's keys in turn. */
export class KeyRotation {
  readonly #turns = new Map<string, number>();

  /** The hash of the channel's next key; `undefined` where it has none. */
  nextHash({ id, apiKeys }: Channel): string | undefined {
    const turn = (this.#turns.get(id) ?? 0) % Math.max(1, apiKeys.length);
    this.#turns.set(id, turn + 1);
    const key = apiKeys[turn];
    return key === undefined ? undefined : sha256(key);
  }
}
