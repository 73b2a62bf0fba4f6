/**
 * Betas that other clouds know of. They refuse a call that names any other, and clients of Anthropic's own address name
 * more of them each month.
 */
const PORTABLE_BETAS: ReadonlySet<string> = new Set([
  'compact-2026-01-12',
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
  'tool-search-tool-2025-10-19',
]);

/** Header in which clients name the betas they use. */
export const BETA_HEADER = 'anthropic-beta';

/** The betas of a header that another cloud knows. */
export function filterPortableBetas(header: string | undefined): string[] {
  const named = (header ?? '').split(',').map((beta) => beta.trim());
  return [...new Set(named)].filter((beta) => PORTABLE_BETAS.has(beta));
}
