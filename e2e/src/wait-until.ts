const STEP_MS = 25;

/**
 * Asks again and again until the answer is there: anything but `undefined` and `false`.
 *
 * @throws Error that names what was waited for, when the time is over.
 */
export async function waitUntil<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  timeoutMs = 30_000,
  stepMs = STEP_MS,
): Promise<Answer> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
}
