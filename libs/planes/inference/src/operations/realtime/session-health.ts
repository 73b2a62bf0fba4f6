import type { ChannelHealth, Part } from '@mg/routing';
import { scrubSecrets } from '@mg/runtime';
import type { PeerClose } from '@mg/transport';
import type { Fault } from '../../call/classify-failure.js';
import type { TimedAttempt } from '../../call/try-channels.js';

/**
 * Codes by which an upstream closes a session for a reason of its own: the connection broke, it failed, restarts, is overloaded or
 * could not be reached behind its proxy. By others it says that it did not like what the client sent.
 *
 * @see https://www.iana.org/assignments/websocket/websocket.xhtml
 */
const OWN_REASONS: ReadonlySet<number> = new Set([1006, 1011, 1012, 1013, 1014]);

/**
 * What a session shows of its channel. That it was opened says little: the channel is well once it has answered, and has failed when
 * it is lost.
 */
export class SessionHealth {
  readonly #part: Part | undefined;
  readonly #startedMs: number | undefined;
  readonly #health: ChannelHealth;

  /** @param attempt by which the session was opened. */
  constructor({ part, startedMs }: Pick<TimedAttempt, 'part' | 'startedMs'>, health: ChannelHealth) {
    this.#part = part;
    this.#startedMs = startedMs;
    this.#health = health;
  }

  noteAnswered(): void {
    if (this.#part) this.#health.recordSuccess(this.#part, this.#startedMs);
  }

  /** The upstream sent what is no event, or none in time. */
  noteFailed(reason: string): void {
    if (this.#part) this.#health.recordFailure(this.#part, { kind: 'broken', reason });
  }

  /**
   * The upstream has closed the session early. No caller can have a channel rested by what it sends.
   *
   * @param fault what it says by that.
   */
  noteClosed({ code, reason }: PeerClose, fault: Fault | undefined): void {
    const why = reason === '' ? '' : `: ${scrubSecrets(reason)}`;
    if (this.#part && fault?.kind) this.#health.recordFailure(this.#part, { ...fault, kind: fault.kind });
    else if (OWN_REASONS.has(code)) this.noteFailed(`a session was closed (${code}${why})`);
  }
}
