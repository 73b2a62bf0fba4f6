import type { Catalog, Channel, ProbeOutcome } from '@mg/contract';
import type { AttemptTally, ChannelHealth, FailureKind, KeyRotation, NamedKey, Part } from '@mg/routing';

/** A channel that is to be tried again is asked by one gateway within this time. */
const TRIED_AGAIN_MS = 5_000;
const CREDENTIAL: ReadonlySet<number> = new Set([401, 402, 403]);
const LIMITED: ReadonlySet<number> = new Set([429, 529]);
/** The model or the path is not there: a probe is our own request, which names nothing else. */
const MISSING: ReadonlySet<number> = new Set([404, 405, 410, 424]);
const FAILED = 500;

/** When channels were asked last, by any gateway. */
export interface ProbeClaims {
  /** Calls went to these channels: nobody has to find out whether they answer. */
  noteAsked(channelIds: readonly string[]): Promise<void>;
  /** @returns whether the channel had no calls for so long; then the probe counts as one now. */
  claim(channelId: string, everyMs: number): Promise<boolean>;
}

export interface ProberParts {
  readonly catalog: () => Catalog;
  readonly health: ChannelHealth;
  readonly keys: KeyRotation;
  readonly attempts: AttemptTally;
  readonly claims: ProbeClaims;
  /** Sends a channel the smallest call there is. Never rejects. */
  readonly test: (
    channel: Channel,
    upstreamModel: string,
    apiKey: string | undefined,
  ) => Promise<ProbeOutcome>;
}

/** What is asked, and with which key. */
interface Probe {
  readonly slug: string;
  readonly key: NamedKey | undefined;
}

/**
 * Asks channels that have `probe` set and were not asked for that long, so that their health is known before a call needs
 * them; one that was left out is asked by a probe before any call. One gateway does so for all.
 */
export class ChannelProber {
  constructor(private readonly parts: ProberParts) {}

  /** Looks which channels are to be asked, asks them, and waits for what they say. */
  async look(): Promise<void> {
    const { catalog, attempts, claims } = this.parts;
    const channels = [...new Set([...catalog().channelsBySlug.values()].flat())];
    const probed = channels.filter(({ probeMs }) => probeMs !== undefined);
    const busy = attempts.takeAsked();
    const asked = probed.filter(({ id }) => busy.has(id)).map(({ id }) => id);
    if (asked.length > 0) await claims.noteAsked(asked);
    await Promise.all(probed.map((channel) => this.#lookAt(channel)));
  }

  async #lookAt(channel: Channel): Promise<void> {
    const { health, claims } = this.parts;
    const returning = health.listHalfOpen(channel.id).find(({ slug }) => this.#isChat(channel, slug));
    const probe = returning ? this.#probeAgain(channel, returning) : this.#probeIdle(channel);
    if (!probe) return;
    if (await claims.claim(channel.id, returning ? TRIED_AGAIN_MS : (channel.probeMs ?? 0))) {
      await this.#ask(channel, probe);
    }
  }

  #probeAgain(channel: Channel, { slug, key }: Part): Probe | undefined {
    if (key === undefined) return { slug, key: this.#choose(channel, slug) };
    const named = this.parts.keys.find(channel, key);
    return named && { slug, key: named };
  }

  /** A channel that is left out at the moment is not asked: its upstream may have asked for the pause. */
  #probeIdle(channel: Channel): Probe | undefined {
    const { health, keys } = this.parts;
    const slug = [...channel.models.keys()].find((one) => this.#isChat(channel, one));
    if (slug === undefined || health.absence(channel.id, slug, keys.namesOf(channel))) return undefined;
    return { slug, key: this.#choose(channel, slug) };
  }

  async #ask(channel: Channel, { slug, key }: Probe): Promise<void> {
    const { health, attempts, test } = this.parts;
    const part: Part = { channelId: channel.id, slug, key: key?.name };
    if (health.admit(part) === 'wait') return;
    const startedMs = health.nowMs;
    const {
      ok,
      status,
      message,
      latency_ms: ms,
    } = await test(channel, channel.models.get(slug) ?? slug, key?.apiKey);
    const tallied = { channelId: channel.id, model: slug, key: key?.name ?? '' };
    if (ok) {
      health.recordSuccess(part, startedMs);
      attempts.noteServed(tallied, 'whole', ms);
      return;
    }
    const kind = judge(status);
    const reason = `a probe: ${message}`;
    if (kind === undefined) return health.recordInconclusive(part);
    health.recordFailure(part, { kind, reason });
    attempts.noteFailed(tallied, { status: status ?? undefined, reason });
  }

  #choose(channel: Channel, slug: string): NamedKey | undefined {
    const { keys, health } = this.parts;
    const upstreamModel = channel.models.get(slug) ?? slug;
    return keys.choose({ slug, channel, upstreamModel, reason: '' }, health);
  }

  #isChat(channel: Channel, slug: string): boolean {
    return channel.models.has(slug) && this.parts.catalog().models.get(slug)?.kind === 'chat';
  }
}

/** What a failed probe says of the channel; `undefined` where the probe itself was refused. */
function judge(status: number | null): FailureKind | undefined {
  if (status === null) return 'broken';
  if (CREDENTIAL.has(status)) return 'credential';
  if (LIMITED.has(status)) return 'limited';
  return status >= FAILED || status === 200 || MISSING.has(status) ? 'broken' : undefined;
}
