import type { Channel } from '@mg/contract';
import { LIMIT_WINDOWS, type LimitStore, nameMeter } from '@mg/transport';

/** What a submit counts as. Tasks have no tokens, and run for so long that they are not counted among the calls at once. */
const MEASURES = ['rpm', 'rpd'] as const;
/** A limit may have been changed by then. */
const LONGEST_WAIT_SECONDS = 30;
const SECOND_MS = 1_000;

/** What a submit was given of the rates of its channel. */
export interface TakenRates {
  /** 0 where there was room; otherwise the seconds after which to ask again, and nothing was taken. */
  readonly waitSeconds: number;
  /** Gives it back, since nothing was sent. Rejects where Redis does not answer. */
  readonly giveBack: () => Promise<void>;
}

const NO_RATES: TakenRates = { waitSeconds: 0, giveBack: async () => undefined };

/** The rates of channels, which gateways count their calls in as well. */
export class ChannelRates {
  constructor(private readonly store: Pick<LimitStore, 'take' | 'report'>) {}

  /**
   * Takes what one submit counts among the rates of its channel.
   *
   * @throws Error where Redis does not answer.
   */
  async take({ limits: scoped }: Pick<Channel, 'limits'>): Promise<TakenRates> {
    const items = MEASURES.flatMap((measure) => {
      const limit = scoped?.limits[measure];
      if (!scoped || limit === undefined) return [];
      const name = nameMeter(scoped.scope, scoped.id, measure);
      const meter = { name, kind: 'window' as const, limit, ...LIMIT_WINDOWS[measure] };
      return [{ meter, need: 1, want: 0 }];
    });
    if (items.length === 0) return NO_RATES;
    const { state, nowMs, waitMs } = await this.store.take(items);
    if (state === 'granted') {
      const taken = items.map(({ meter }) => ({
        meter,
        bucket: Math.floor(nowMs / meter.bucketMs),
        amount: -1,
      }));
      return { waitSeconds: 0, giveBack: async () => void (await this.store.report(taken)) };
    }
    // A Redis that is new to workers gives nothing yet: by then gateways have told it what they have taken.
    if (state === 'later') await this.store.report([]);
    const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(1, Math.ceil(waitMs / SECOND_MS)));
    return { ...NO_RATES, waitSeconds };
  }
}
