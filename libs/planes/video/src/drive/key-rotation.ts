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

/** The hash of the key that made a job. One that is gone was rotated: its successor belongs to the same account. */
export function pinKeyHash({ apiKeys }: Channel, madeBy: string | undefined): string | undefined {
  const hashes = apiKeys.map(sha256);
  return hashes.find((hash) => hash === madeBy) ?? hashes[0];
}
