import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'yaml';

// Runs in a thread of its own and imports no file of this repository, so that the same file runs compiled and, by Node's
// type stripping, from its source.

/** JSON of a file is hardly longer than the file, unless aliases stand for the same again and again. */
const MOST_GROWTH = 4;
const SHORT_CHARACTERS = 64 * 1024;

/** In the failsafe schema a number stays the text that it was, so that no amount is rounded. JSON is YAML. */
function read(text: string): { readonly json: string } | { readonly problem: string } {
  try {
    const json = JSON.stringify(parse(text, { schema: 'failsafe', maxAliasCount: 100 }) ?? null);
    const isLong = json.length > MOST_GROWTH * text.length + SHORT_CHARACTERS;
    return isLong ? { problem: 'its aliases stand for too much' } : { json };
  } catch (error) {
    return { problem: (error instanceof Error && error.message.split('\n', 1)[0]) || '' };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(read(workerData as string));
