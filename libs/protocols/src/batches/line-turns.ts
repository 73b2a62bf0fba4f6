/** Requests that are read in one step, however short they are. */
const REQUESTS_IN_A_STEP = 50;
/** What is written of them in one step: two milliseconds for tens of thousands of numbers or names. */
const BYTES_IN_A_STEP = 64 * 1024;

/** Paces the reading of a batch's requests: each of them may be as long as what is written without a pause. */
export class LineTurns {
  #requests = 0;
  #bytes = 0;

  /** @param pause is waited for between two steps. */
  constructor(private readonly pause: () => Promise<void>) {}

  /** Waits before the next request is read, where those since the last pause are many or long. */
  async next(): Promise<void> {
    if (this.#requests++ < REQUESTS_IN_A_STEP && this.#bytes < BYTES_IN_A_STEP) return;
    this.#requests = 1;
    this.#bytes = 0;
    await this.pause();
  }

  /** Counts what was written of a request. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }
}
