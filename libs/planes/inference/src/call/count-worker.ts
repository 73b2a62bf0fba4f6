import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

// Runs in a thread of its own and imports no file of this repository, so that the same file runs compiled and, by Node's
// type stripping, from its source.

/** A text to count, and its count. */
interface CountJob {
  readonly id: number;
  readonly text: string;
}

/**
 * Runs of letters, of spaces and of everything else but digits, at most 64 characters of each. The tokenizer merges the
 * bytes of a run in quadratic time; cut, a text costs time by its length alone. No word of a language with spaces is as
 * long, so the count changes only for texts that are one long run, and by a token for each cut at most.
 */
const RUNS = /[\p{L}\p{M}]{1,64}|\s{1,64}|[^\s\p{L}\p{N}]{1,64}/gu;
const LONGEST_RUN = 64;
/** Markers such as `<|endoftext|>` in a text count as the plain text they are. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

function count(text: string): number {
  let tokens = 0;
  let start = 0;
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (run.length < LONGEST_RUN) continue;
    const end = index + run.length;
    tokens += countTokens(text.slice(start, end), PLAIN_TEXT);
    start = end;
  }
  return tokens + countTokens(text.slice(start), PLAIN_TEXT);
}

/**
 * On Linux each thread has a priority of its own, and 0 is the calling one: on a machine that is full the thread that counts
 * gives way to the event loop, which everybody waits for. Elsewhere it would be that of the whole process.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Where that is not allowed, it counts at the usual priority.
  }
}

lowerPriority();
parentPort?.on('message', ({ id, text }: CountJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ id, tokens: count(text) });
});
