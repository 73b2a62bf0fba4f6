import { classOf, quantileOf } from '@mg/contract';

/** Hedges that each call allows: at most so many calls are asked twice. */
const SHARE = 0.02;
/** Hedges that may gather while calls come that need none. */
const MOST_GATHERED = 10;
/** A call is asked elsewhere once it takes longer than this share of the calls of its channel. */
const LATE_SHARE = 0.95;
/** With fewer answers than this it is not known what is late. */
const LEAST_ANSWERS = 50;
/** Older answers count half once there are so many. */
const HALVED_AT = 1_000;

interface Answers {
  readonly histogram: number[];
  count: number;
}

/**
 * Says when a whole answer is late enough to ask another channel as well, and keeps such second questions to a share of the
 * calls. Each process knows its own calls.
 */
export class Hedging {
  readonly #answers = new Map<string, Answers>();
  #tokens = 0;

  /** A call begins that may be asked twice. */
  noteCall(): void {
    this.#tokens = Math.min(this.#tokens + SHARE, MOST_GATHERED);
  }

  /** Takes a hedge off the budget; `false` when none is left. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** @param ms until a whole answer was there, or was not awaited any longer. */
  recordAnswer(channelId: string, slug: string, ms: number): void {
    const key = `${channelId} ${slug}`;
    const answers = this.#answers.get(key) ?? { histogram: [], count: 0 };
    this.#answers.set(key, answers);
    const { histogram } = answers;
    const index = classOf(ms);
    while (histogram.length <= index) histogram.push(0);
    histogram[index] = (histogram[index] ?? 0) + 1;
    answers.count++;
    if (answers.count >= HALVED_AT) {
      for (const [place, count] of histogram.entries()) histogram[place] = count / 2;
      answers.count /= 2;
    }
  }

  /** After how many milliseconds an answer is late; `undefined` while too few came. */
  delayMs(channelId: string, slug: string): number | undefined {
    const answers = this.#answers.get(`${channelId} ${slug}`);
    if (!answers || answers.count < LEAST_ANSWERS) return undefined;
    return quantileOf(answers.histogram, LATE_SHARE);
  }
}
