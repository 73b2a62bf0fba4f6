const SHORTEST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;
/** Pauses grow with the time that was waited: each question costs the planes something, and nobody minds an eighth more. */
const SHARE_OF_WAIT = 1 / 8;

/**
 * Asks again and again until the answer is there: anything but `undefined` and `false`.
 *
 * @throws Error that names what was waited for, when the time is over.
 */
export async function waitUntil<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  timeoutMs = 30_000,
  shortestPauseMs = SHORTEST_PAUSE_MS,
): Promise<Answer> {
  const begun = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    const waitedMs = Date.now() - begun;
    if (waitedMs > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    const pauseMs = Math.max(shortestPauseMs, Math.min(waitedMs * SHARE_OF_WAIT, LONGEST_PAUSE_MS));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
