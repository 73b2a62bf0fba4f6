import { setTimeout as sleep } from 'node:timers/promises';

/** How long a call waits at most for a channel that is at its limit. */
export const WAIT_FOR_CHANNEL_MS = 10_000;
/** Calls that wait for the channels of one model at most; more are refused at once. */
const MAX_WAITING = 256;
/** Of one key at most: there is always room for others. */
const MAX_WAITING_OF_KEY = MAX_WAITING / 4;
/** How often it is looked whether a channel is free again. */
const CHECK_EVERY_MS = 50;

interface Waiting {
  readonly keyId: string;
  readonly untilMs: number;
  /** Whether nobody waits for it any more. */
  readonly isLeft: () => boolean;
  /** Tries once. Answers whether it has ended, with or without success. */
  readonly attempt: () => Promise<boolean>;
  readonly giveUp: () => void;
}

interface Line {
  readonly waiting: Waiting[];
  /** Calls of each key that run on limited channels of the model. */
  readonly running: Map<string, number>;
  isServed: boolean;
}

/**
 * Calls that wait for channels of a model which are all at their limits. The key with the fewest calls in flight there is
 * next, so that none keeps the channels to itself while others wait; calls of equals go in order of arrival.
 */
export class ChannelQueue {
  readonly #lines = new Map<string, Line>();

  constructor(
    private readonly pause: (ms: number) => Promise<unknown> = sleep,
    private readonly waitMs = WAIT_FOR_CHANNEL_MS,
  ) {}

  /** Whether a call would overtake others that wait for the channels of this model. */
  hasWaiting(slug: string): boolean {
    return (this.#lines.get(slug)?.waiting.length ?? 0) > 0;
  }

  /** A call of a key runs on a limited channel of the model. @returns what is to be called once it does no longer. */
  begin(slug: string, keyId: string): () => void {
    const line = this.#open(slug);
    line.running.set(keyId, (line.running.get(keyId) ?? 0) + 1);
    return () => {
      const left = (line.running.get(keyId) ?? 1) - 1;
      if (left > 0) line.running.set(keyId, left);
      else line.running.delete(keyId);
      this.#forgetIfEmpty(slug, line);
    };
  }

  /**
   * Waits for a turn, and until `take` answers something.
   *
   * @returns `undefined` when no channel was free in time, too many wait already, or nobody waits any more.
   * @throws what `take` throws.
   */
  run<Result>(
    slug: string,
    keyId: string,
    take: () => Promise<Result | undefined>,
    isLeft: () => boolean,
  ): Promise<Result | undefined> {
    const line = this.#open(slug);
    const ofKey = line.waiting.filter((one) => one.keyId === keyId).length;
    if (line.waiting.length >= MAX_WAITING || ofKey >= MAX_WAITING_OF_KEY) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const attempt = async () => {
        try {
          const result = await take();
          if (result !== undefined) resolve(result);
          return result !== undefined;
        } catch (error) {
          reject(error as Error);
          return true;
        }
      };
      const untilMs = performance.now() + this.waitMs;
      line.waiting.push({ keyId, untilMs, isLeft, attempt, giveUp: () => resolve(undefined) });
      if (!line.isServed) void this.#serve(slug, line);
    });
  }

  async #serve(slug: string, line: Line): Promise<void> {
    line.isServed = true;
    for (let next = pickNext(line); next; next = pickNext(line)) {
      const isOver = await next.attempt();
      if (isOver) line.waiting.splice(line.waiting.indexOf(next), 1);
      else await this.pause(CHECK_EVERY_MS);
    }
    line.isServed = false;
    this.#forgetIfEmpty(slug, line);
  }

  #open(slug: string): Line {
    let line = this.#lines.get(slug);
    if (!line) {
      line = { waiting: [], running: new Map(), isServed: false };
      this.#lines.set(slug, line);
    }
    return line;
  }

  #forgetIfEmpty(slug: string, line: Line): void {
    if (line.waiting.length === 0 && line.running.size === 0) this.#lines.delete(slug);
  }
}

/** Whose turn it is, after those whose time is over have been sent away. */
function pickNext({ waiting, running }: Line): Waiting | undefined {
  const nowMs = performance.now();
  for (const one of waiting.filter(({ untilMs, isLeft }) => nowMs >= untilMs || isLeft())) {
    waiting.splice(waiting.indexOf(one), 1);
    one.giveUp();
  }
  const callsOf = ({ keyId }: Waiting) => running.get(keyId) ?? 0;
  return waiting.reduce<Waiting | undefined>(
    (next, one) => (next && callsOf(next) <= callsOf(one) ? next : one),
    undefined,
  );
}
