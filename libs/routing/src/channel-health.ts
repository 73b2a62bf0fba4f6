import { omitUndefined } from '@mg/contract';

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

/** What failed: a channel for a model, or one of its keys for it. */
export interface Part {
  readonly channelId: string;
  readonly slug: string;
  /** Name of the key; left out where it is the channel. */
  readonly key?: string | undefined;
}

export interface Failure {
  readonly kind: FailureKind;
  /** What the upstream asked for, where it did. */
  readonly retryAfterMs?: number | undefined;
  /** For the operator. */
  readonly reason?: string | undefined;
}

/** A part that may not serve for the time being. */
export interface Cooldown extends Part {
  /** How long from now. */
  readonly cooldownMs: number;
  readonly consecutiveFailures: number;
  /** The last failure. */
  readonly kind: FailureKind;
  readonly reason: string | undefined;
}

/** What is announced to other processes: a cooldown has begun, or is over where it lasts for 0 ms. */
export interface HealthChange extends Cooldown {
  readonly ejections: number;
}

/** Until when a channel may not serve, in the clock's milliseconds, and whether its upstream asked for it. */
export interface Absence {
  readonly untilMs: number;
  readonly isLimited: boolean;
}

/** Whether a call may go to a channel: as usual, as the one that finds out whether it is back, or not while another does. */
export type Admission = 'usual' | 'probe' | 'wait';

interface Circuit extends Part {
  consecutiveFailures: number;
  ejections: number;
  /** 0 before the first cooldown. Once it is over the circuit is half open, until an attempt succeeds or fails. */
  cooldownUntilMs: number;
  /** When its upstream last gave a reason for a cooldown; 0 before the first. */
  cooldownAtMs: number;
  /** An attempt in progress has until then to show whether the part is back. */
  probeUntilMs: number;
  /** When it failed last. */
  failedAtMs: number;
  kind: FailureKind;
  reason: string | undefined;
}

const FAILURES_TO_EJECT = 5;
const EJECTION_MS = 30_000;
const MAX_EJECTION_MS = 300_000;
const CREDENTIAL_COOLDOWN_MS = 60_000;
const LIMITED_COOLDOWN_MS = 30_000;
/** A probe that has come to nothing after so long makes way for another. */
const PROBE_MS = 60_000;
/** What failed so long ago, and was not asked again, is forgotten: its channel may be gone. */
const FORGET_AFTER_MS = 3_600_000;
/** Cooldowns that end so close to each other are one for other processes. */
const SAME_END_MS = 1_000;

/**
 * Remembers which channels, and which of their keys, lately failed for which model: a circuit breaker for each. Failures that
 * a caller caused never come here, so that no caller can take a channel away from the others.
 */
export class ChannelHealth {
  readonly #circuits = new Map<string, Circuit>();
  readonly #nowMs: () => number;
  readonly #announce: (change: HealthChange) => void;

  /** @param announce tells other processes of what happened in this one. */
  constructor(nowMs: () => number, announce: (change: HealthChange) => void = () => undefined) {
    this.#nowMs = nowMs;
    this.#announce = announce;
  }

  /** The moment, on the clock that `recordSuccess` reads. */
  get nowMs(): number {
    return this.#nowMs();
  }

  /** Whether nothing has failed lately. */
  get isQuiet(): boolean {
    return this.#circuits.size === 0;
  }

  /**
   * Until when a channel may not serve a model, or `undefined` when it may: it is in a cooldown itself, or all of its keys
   * are, or another call finds out at the moment whether it is back.
   *
   * @param keys names of the channel's keys; none where it has none, or they are not told apart.
   */
  absence(channelId: string, slug: string, keys: readonly string[] = []): Absence | undefined {
    if (this.isQuiet) return undefined;
    const own = this.#absenceOf({ channelId, slug });
    if (own || keys.length === 0) return own;
    const absences = keys.map((key) => this.#absenceOf({ channelId, slug, key }));
    if (absences.includes(undefined)) return undefined;
    return absences.reduce((first, next) => (first && next && next.untilMs < first.untilMs ? next : first));
  }

  /** Whether a key may be used for a model. */
  isUsable(part: Part): boolean {
    return this.isQuiet || this.#absenceOf(part) === undefined;
  }

  /** A call is about to go to a channel with a key. */
  admit(part: Part): Admission {
    if (this.isQuiet) return 'usual';
    const nowMs = this.#nowMs();
    const halfOpen = this.#circuitsOf(part).filter(
      ({ cooldownUntilMs }) => cooldownUntilMs > 0 && cooldownUntilMs <= nowMs,
    );
    if (halfOpen.length === 0) return 'usual';
    if (halfOpen.some(({ probeUntilMs }) => probeUntilMs > nowMs)) return 'wait';
    for (const circuit of halfOpen) circuit.probeUntilMs = nowMs + PROBE_MS;
    return 'probe';
  }

  /** An attempt ended and says nothing of the upstream: its caller left, or was at fault. */
  recordInconclusive(part: Part): void {
    if (this.isQuiet) return;
    for (const circuit of this.#circuitsOf(part)) circuit.probeUntilMs = 0;
  }

  /**
   * An attempt went well. It ends no cooldown that began after it: a long stream that was let in before a limit was reached shows
   * nothing of that limit.
   *
   * @param startedMs `nowMs` when the attempt began; by default, now.
   */
  recordSuccess(part: Part, startedMs = this.nowMs): void {
    if (this.isQuiet) return;
    for (const circuit of this.#circuitsOf(part)) {
      if (circuit.cooldownAtMs > startedMs) continue;
      this.#circuits.delete(keyOf(circuit));
      if (circuit.cooldownUntilMs > 0) this.#announce({ ...this.#describe(circuit), cooldownMs: 0 });
    }
  }

  /**
   * A key that is refused or limited fails alone; what else goes wrong is its channel's. What fails during a cooldown is mostly
   * the same incident, such as all streams of a connection that was lost: it makes the cooldown no longer, unless the upstream asks
   * for a pause.
   */
  recordFailure({ channelId, slug, key }: Part, failure: Failure): void {
    const { kind, retryAfterMs, reason } = failure;
    const nowMs = this.#nowMs();
    const isOfKey = key !== undefined && (kind === 'credential' || kind === 'limited');
    const circuit = this.#open(omitUndefined({ channelId, slug, key: isOfKey ? key : undefined }));
    circuit.consecutiveFailures++;
    circuit.probeUntilMs = 0;
    circuit.failedAtMs = nowMs;
    circuit.kind = kind;
    circuit.reason = reason;
    const asksForPause = kind === 'limited' && retryAfterMs !== undefined;
    if (circuit.cooldownUntilMs > nowMs && !asksForPause) return;
    const cooldownMs = countCooldown(circuit, failure);
    if (cooldownMs === 0) return;
    circuit.cooldownAtMs = nowMs;
    const untilMs = nowMs + cooldownMs;
    const isNews = untilMs > circuit.cooldownUntilMs + SAME_END_MS;
    circuit.cooldownUntilMs = Math.max(circuit.cooldownUntilMs, untilMs);
    if (isNews) this.#announce(this.#describe(circuit));
  }

  /** Takes over what happened in another process. */
  apply(change: HealthChange): void {
    const { channelId, slug, key, cooldownMs, consecutiveFailures, ejections, kind, reason } = change;
    if (cooldownMs <= 0) {
      this.#circuits.delete(keyOf({ channelId, slug, key }));
      return;
    }
    const circuit = this.#open(omitUndefined({ channelId, slug, key }));
    const nowMs = this.#nowMs();
    const untilMs = nowMs + Math.min(cooldownMs, MAX_EJECTION_MS);
    circuit.cooldownAtMs = nowMs;
    circuit.cooldownUntilMs = Math.max(circuit.cooldownUntilMs, untilMs);
    circuit.consecutiveFailures = Math.max(circuit.consecutiveFailures, consecutiveFailures);
    circuit.ejections = Math.max(circuit.ejections, ejections);
    circuit.failedAtMs = nowMs;
    circuit.kind = kind;
    circuit.reason = reason;
  }

  /** Every cooldown that is in force. Forgets what failed long ago. */
  listCooldowns(): Cooldown[] {
    const nowMs = this.#nowMs();
    for (const [key, { failedAtMs }] of this.#circuits) {
      if (nowMs - failedAtMs > FORGET_AFTER_MS) this.#circuits.delete(key);
    }
    return [...this.#circuits.values()]
      .filter((circuit) => circuit.cooldownUntilMs > nowMs)
      .map((circuit) => {
        const { ejections: _ejections, ...cooldown } = this.#describe(circuit);
        return cooldown;
      });
  }

  /** Parts of a channel whose cooldown is over, and that were not probed yet. */
  listHalfOpen(channelId: string): Part[] {
    const nowMs = this.#nowMs();
    return [...this.#circuits.values()]
      .filter((circuit) => circuit.channelId === channelId)
      .filter(
        ({ cooldownUntilMs, probeUntilMs }) =>
          cooldownUntilMs > 0 && cooldownUntilMs <= nowMs && probeUntilMs <= nowMs,
      )
      .map(({ slug, key }) => ({ channelId, slug, key }));
  }

  #describe(circuit: Circuit): HealthChange {
    const { channelId, slug, key, cooldownUntilMs, consecutiveFailures, ejections, kind, reason } = circuit;
    const cooldownMs = Math.max(0, cooldownUntilMs - this.#nowMs());
    const part = omitUndefined({ channelId, slug, key });
    return { ...part, cooldownMs, consecutiveFailures, ejections, kind, reason };
  }

  #absenceOf(part: Part): Absence | undefined {
    const circuit = this.#circuits.get(keyOf(part));
    if (!circuit) return undefined;
    const { cooldownUntilMs, probeUntilMs, kind } = circuit;
    const nowMs = this.#nowMs();
    if (cooldownUntilMs > nowMs) return { untilMs: cooldownUntilMs, isLimited: kind === 'limited' };
    return probeUntilMs > nowMs ? { untilMs: nowMs, isLimited: false } : undefined;
  }

  #circuitsOf({ channelId, slug, key }: Part): Circuit[] {
    const parts = [{ channelId, slug }, ...(key === undefined ? [] : [{ channelId, slug, key }])];
    return parts.map((part) => this.#circuits.get(keyOf(part))).filter((circuit) => circuit !== undefined);
  }

  #open(part: Part): Circuit {
    const known = this.#circuits.get(keyOf(part));
    if (known) return known;
    const circuit: Circuit = {
      ...part,
      consecutiveFailures: 0,
      ejections: 0,
      cooldownUntilMs: 0,
      cooldownAtMs: 0,
      probeUntilMs: 0,
      failedAtMs: 0,
      kind: 'broken',
      reason: undefined,
    };
    this.#circuits.set(keyOf(part), circuit);
    return circuit;
  }
}

/** For how long a part is left out after a failure, in milliseconds. */
function countCooldown(circuit: Circuit, { kind, retryAfterMs }: Failure): number {
  if (kind === 'limited') return Math.min(retryAfterMs ?? LIMITED_COOLDOWN_MS, MAX_EJECTION_MS);
  if (kind !== 'credential' && circuit.consecutiveFailures < FAILURES_TO_EJECT) return 0;
  circuit.ejections++;
  const onceMs = kind === 'credential' ? CREDENTIAL_COOLDOWN_MS : EJECTION_MS;
  return Math.min(onceMs * circuit.ejections, MAX_EJECTION_MS);
}

function keyOf({ channelId, slug, key }: Part): string {
  return key === undefined ? `${channelId} ${slug}` : `${channelId} ${slug} ${key}`;
}
