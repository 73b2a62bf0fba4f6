import { type Channel, toKeyHint } from '@mg/contract';
import type { ChannelHealth } from './channel-health.js';
import type { Attempt } from './plan-attempts.js';
import { findByAffinity } from './rendezvous.js';

/** A key of a channel, and the name that an operator knows it by: hints of two keys that look alike are counted. */
export interface NamedKey {
  readonly name: string;
  readonly apiKey: string;
}

/** Hands out the keys of a channel in turn. Turns are counted for each channel of a snapshot and go with it. */
export class KeyRotation {
  readonly #turns = new WeakMap<Channel, number>();
  readonly #named = new WeakMap<Channel, readonly NamedKey[]>();

  /** The channel's next key; `undefined` when it has none. */
  next(channel: Channel): string | undefined {
    return this.#takeTurn(channel, channel.apiKeys);
  }

  /**
   * The key for an attempt: the one that holds what the call goes on from, the conversation's own, or the next in turn, of
   * those that are not in a cooldown; any of them where all are. `undefined` when the channel has none.
   */
  choose({ channel, slug, affinity, preferredKey }: Attempt, health: ChannelHealth): NamedKey | undefined {
    const keys = this.#keysOf(channel);
    const usable = health.isQuiet
      ? keys
      : keys.filter(({ name }) => health.isUsable({ channelId: channel.id, slug, key: name }));
    const choice = usable.length > 0 ? usable : keys;
    const preferred =
      preferredKey === undefined ? undefined : choice.find(({ name }) => name === preferredKey);
    if (preferred) return preferred;
    if (affinity === undefined || choice.length < 2) return this.#takeTurn(channel, choice);
    return findByAffinity(affinity, choice, { nameOf: ({ apiKey }) => apiKey, weightOf: () => 1 });
  }

  /** The key of this name; `undefined` when the channel has it no longer. */
  find(channel: Channel, name: string): NamedKey | undefined {
    return this.#keysOf(channel).find((key) => key.name === name);
  }

  /** The name of one of the channel's keys. */
  nameOf(channel: Channel, apiKey: string): string | undefined {
    return this.#keysOf(channel).find((key) => key.apiKey === apiKey)?.name;
  }

  namesOf(channel: Channel): readonly string[] {
    return this.#keysOf(channel).map(({ name }) => name);
  }

  #takeTurn<Key>(channel: Channel, keys: readonly Key[]): Key | undefined {
    if (keys.length < 2) return keys[0];
    const turn = this.#turns.get(channel) ?? 0;
    this.#turns.set(channel, turn + 1);
    return keys[turn % keys.length];
  }

  #keysOf(channel: Channel): readonly NamedKey[] {
    let named = this.#named.get(channel);
    if (!named) {
      named = nameKeys(channel.apiKeys);
      this.#named.set(channel, named);
    }
    return named;
  }
}

function nameKeys(apiKeys: readonly string[]): NamedKey[] {
  const hints = apiKeys.map(toKeyHint);
  return apiKeys.map((apiKey, index) => {
    const hint = hints[index] ?? '';
    const before = hints.slice(0, index).filter((one) => one === hint).length;
    return { apiKey, name: before === 0 ? hint : `${hint} (${before + 1})` };
  });
}
