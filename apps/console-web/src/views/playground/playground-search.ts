export const MODES = ['chat', 'image', 'video'] as const;
export type Mode = (typeof MODES)[number];

interface PlaygroundSearch {
  readonly mode?: Mode;
}

export function readPlaygroundSearch(search: Record<string, unknown>): PlaygroundSearch {
  const mode = MODES.find((known) => known === search['mode']);
  return mode === undefined ? {} : { mode };
}
