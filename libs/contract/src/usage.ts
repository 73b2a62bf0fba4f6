import { omitUndefined } from './omit-undefined.js';

/**
 * What one call consumed. Counts are non-negative integers.
 *
 * `inputTokens` includes the cached and the cache-writing ones, whatever the dialect's own arithmetic is;
 * `cacheWriteTokens` includes those kept for an hour, `outputTokens` the reasoning ones.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly images: number;
  readonly seconds: number;
  /** Characters of a text that was spoken. */
  readonly characters?: number;
  /** Those of `inputTokens` that are parts of images or audio, where the upstream tells them apart. */
  readonly imageInputTokens?: number;
  readonly audioInputTokens?: number;
  /** Those of `outputTokens` that are parts of images or audio. */
  readonly imageOutputTokens?: number;
  readonly audioOutputTokens?: number;
  /** Uses of tools that the provider runs: searches of the web, searches of stored files, containers that code ran in. */
  readonly webSearches?: number;
  readonly fileSearches?: number;
  readonly codeSessions?: number;
  /** Service tier that the upstream says it served by, such as `priority`; none is the tier of the model's own rates. */
  readonly tier?: string;
  /** Which variant of the model's price holds, such as `1080p` or `1024x1024/high`. */
  readonly variant?: string;
  /** Whether the answer came out of the gateway's cache: the figures are those of the call that it was made for. */
  readonly fromCache?: true;
}

export const NO_USAGE: Usage = Object.freeze({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  images: 0,
  seconds: 0,
});

/** Usage as it stands in the database and in the Console's answers. */
export interface UsageRow {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly cache_write_1h_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly images: number;
  readonly seconds: number;
  readonly characters?: number;
  readonly image_input_tokens?: number;
  readonly audio_input_tokens?: number;
  readonly image_output_tokens?: number;
  readonly audio_output_tokens?: number;
  readonly web_searches?: number;
  readonly file_searches?: number;
  readonly code_sessions?: number;
  readonly tier?: string;
  readonly variant?: string;
  readonly from_cache?: true;
}

/** Counts that few calls have: rows leave them out when they are none. */
const RARE_COUNTS = [
  ['characters', 'characters'],
  ['imageInputTokens', 'image_input_tokens'],
  ['audioInputTokens', 'audio_input_tokens'],
  ['imageOutputTokens', 'image_output_tokens'],
  ['audioOutputTokens', 'audio_output_tokens'],
  ['webSearches', 'web_searches'],
  ['fileSearches', 'file_searches'],
  ['codeSessions', 'code_sessions'],
] as const;

export function usageToRow(usage: Usage): UsageRow {
  const row: { -readonly [Column in keyof UsageRow]: UsageRow[Column] } = {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    cache_write_1h_tokens: usage.cacheWrite1hTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    images: usage.images,
    seconds: usage.seconds,
  };
  for (const [name, column] of RARE_COUNTS) {
    const count = usage[name];
    if (count !== undefined) row[column] = count;
  }
  if (usage.tier !== undefined) row.tier = usage.tier;
  if (usage.variant !== undefined) row.variant = usage.variant;
  if (usage.fromCache) row.from_cache = true;
  return row;
}

/** Reads a row; what an older one does not have yet is none. */
export function usageFromRow(row: Partial<UsageRow>): Usage {
  return {
    inputTokens: toCount(row.input_tokens),
    cachedInputTokens: toCount(row.cached_input_tokens),
    cacheWriteTokens: toCount(row.cache_write_tokens),
    cacheWrite1hTokens: toCount(row.cache_write_1h_tokens),
    outputTokens: toCount(row.output_tokens),
    reasoningTokens: toCount(row.reasoning_tokens),
    images: toCount(row.images),
    seconds: toCount(row.seconds),
    ...Object.fromEntries(
      RARE_COUNTS.flatMap(([name, column]) =>
        row[column] === undefined ? [] : [[name, toCount(row[column])]],
      ),
    ),
    ...omitUndefined({
      tier: typeof row.tier === 'string' ? row.tier : undefined,
      variant: typeof row.variant === 'string' ? row.variant : undefined,
      fromCache: row.from_cache === true ? true : undefined,
    }),
  };
}

/** More than any model can take or produce in one call. */
const MAX_COUNT = 10_000_000;

/** Reads a count that somebody else wrote: a negative or missing figure is none, a fraction counts as the whole. */
export function toCount(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) return 0;
  return Math.min(Math.ceil(value), MAX_COUNT);
}

/** Whether a figure could be true; one that could not is a fault of the upstream, and its report is not usage. */
export function isPlausible(value: unknown): boolean {
  return typeof value === 'number' ? value <= MAX_COUNT : typeof value !== 'object' || value === null;
}

/** Merges two reports about the same call: upstreams repeat cumulative figures, so the larger one counts, never the sum. */
export function mergeUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    cachedInputTokens: Math.max(a.cachedInputTokens, b.cachedInputTokens),
    cacheWriteTokens: Math.max(a.cacheWriteTokens, b.cacheWriteTokens),
    cacheWrite1hTokens: Math.max(a.cacheWrite1hTokens, b.cacheWrite1hTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    reasoningTokens: Math.max(a.reasoningTokens, b.reasoningTokens),
    images: Math.max(a.images, b.images),
    seconds: Math.max(a.seconds, b.seconds),
    ...Object.fromEntries(
      RARE_COUNTS.flatMap(([name]) =>
        a[name] === undefined && b[name] === undefined ? [] : [[name, Math.max(a[name] ?? 0, b[name] ?? 0)]],
      ),
    ),
    ...omitUndefined({
      tier: b.tier ?? a.tier,
      variant: b.variant ?? a.variant,
      fromCache: (b.fromCache ?? a.fromCache) ? true : undefined,
    }),
  };
}
