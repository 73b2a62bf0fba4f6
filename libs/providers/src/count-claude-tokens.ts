import type { JsonObject } from '@mg/protocols';

/** Members of a request that say how to answer rather than what to read: counting refuses them. */
const UNCOUNTED = [
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
] as const;

/**
 * A request of which Claude's tokens are counted: the same object where nothing had to go.
 *
 * @see https://platform.claude.com/docs/en/api/messages/count_tokens
 */
export function keepCounted(body: JsonObject): JsonObject {
  if (!UNCOUNTED.some((field) => field in body)) return body;
  const kept = { ...body };
  for (const field of UNCOUNTED) delete kept[field];
  return kept;
}
