/** What Redis' clock shows, as far as this process can know: windows are counted by it. */
export class RedisClock {
  #aheadMs = Date.now() - performance.now();

  /** @param askedMs moment of the monotonic clock before Redis was asked. */
  note(redisNowMs: number, askedMs: number): void {
    this.#aheadMs = redisNowMs - (askedMs + performance.now()) / 2;
  }

  /** In milliseconds since the epoch. */
  get nowMs(): number {
    return performance.now() + this.#aheadMs;
  }
}
