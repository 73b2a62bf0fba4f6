import { vi } from 'vitest';

/**
 * One of many that ask at once: on a loaded machine billing may take too long to answer it, and it comes again as late as a client
 * does, after the `Retry-After` of the refusal.
 */
export async function askInCrowd<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return vi.waitFor(ask, { timeout: 30_000, interval: 1_000 });
}
