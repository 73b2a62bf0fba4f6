/** Reads `Retry-After`, in seconds or as a date; answers milliseconds from now. */
export function readRetryAfterMs(
  header: string | readonly string[] | undefined,
  nowMs: number,
): number | undefined {
  const text = typeof header === 'string' ? header : header?.[0];
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
