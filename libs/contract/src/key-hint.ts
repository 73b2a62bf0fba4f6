const SHORTEST_SHOWN = 16;

/** All that is ever shown of a provider's key: its first three and last four characters. */
export function toKeyHint(apiKey: string): string {
  return apiKey.length < SHORTEST_SHOWN ? '...' : `${apiKey.slice(0, 3)}...${apiKey.slice(-4)}`;
}
