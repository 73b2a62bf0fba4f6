/** How an upstream failed, as far as choosing the next channel is concerned. */
export type FailureKind =
  /** Nothing was sent: DNS, refused, connect timeout. */
  | 'unreachable'
  /** The upstream answered with a failure, garbage, or not in time. */
  | 'broken'
  /** Our credential was refused or has no funds. */
  | 'credential'
  /** Our account is limited for a while. */
  | 'limited';

/** A channel that may not serve a model for the time being. */
export interface CooldownChannel {
  readonly channelId: string;
  readonly slug: string;
  /** How long from now. */
  readonly cooldownMs: number;
  readonly consecutiveFailures: number;
}

interface ChannelState {
  readonly channelId: string;
  readonly slug: string;
  consecutiveFailures: number;
  ejections: number;
  cooldownUntilMs: number;
}

const FAILURES_TO_EJECT = 5;
const EJECTION_MS = 30_000;
const MAX_EJECTION_MS = 300_000;
const CREDENTIAL_COOLDOWN_MS = 60_000;
const LIMITED_COOLDOWN_MS = 30_000;

/**
 * Remembers which channels lately failed for which model. Failures that a caller caused never come here, so that
 * no caller can take a channel away from the others.
 */
export class ChannelHealth {
  readonly #states = new Map<string, ChannelState>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Until when a channel is in a cooldown for a model, in the clock's milliseconds, or `undefined` when it may serve. */
  cooldownUntil(channelId: string, slug: string): number | undefined {
    const state = this.#states.get(keyOf(channelId, slug));
    return state && state.cooldownUntilMs > this.#nowMs() ? state.cooldownUntilMs : undefined;
  }

  /** Every cooldown that is in force. */
  listCooldowns(): CooldownChannel[] {
    const nowMs = this.#nowMs();
    return [...this.#states.values()]
      .filter((state) => state.cooldownUntilMs > nowMs)
      .map(({ channelId, slug, cooldownUntilMs, consecutiveFailures }) => ({
        channelId,
        slug,
        cooldownMs: cooldownUntilMs - nowMs,
        consecutiveFailures,
      }));
  }

  recordSuccess(channelId: string, slug: string): void {
    this.#states.delete(keyOf(channelId, slug));
  }

  /** @param retryAfterMs what the upstream asked for, where it did. */
  recordFailure(channelId: string, slug: string, kind: FailureKind, retryAfterMs?: number): void {
    const state = this.#stateOf(channelId, slug);
    state.consecutiveFailures++;
    const cooldownMs = this.#cooldownMs(state, kind, retryAfterMs);
    if (cooldownMs > 0) state.cooldownUntilMs = Math.max(state.cooldownUntilMs, this.#nowMs() + cooldownMs);
  }

  #cooldownMs(state: ChannelState, kind: FailureKind, retryAfterMs: number | undefined): number {
    if (kind === 'limited') return Math.min(retryAfterMs ?? LIMITED_COOLDOWN_MS, MAX_EJECTION_MS);
    if (kind === 'credential') return CREDENTIAL_COOLDOWN_MS;
    if (state.consecutiveFailures < FAILURES_TO_EJECT) return 0;
    state.ejections++;
    return Math.min(EJECTION_MS * state.ejections, MAX_EJECTION_MS);
  }

  #stateOf(channelId: string, slug: string): ChannelState {
    const key = keyOf(channelId, slug);
    let state = this.#states.get(key);
    if (!state) {
      state = { channelId, slug, consecutiveFailures: 0, ejections: 0, cooldownUntilMs: 0 };
      this.#states.set(key, state);
    }
    return state;
  }
}

function keyOf(channelId: string, slug: string): string {
  return `${channelId} ${slug}`;
}
