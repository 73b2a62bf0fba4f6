import { parentPort, workerData } from 'node:worker_threads';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

// Runs in a thread of its own and imports no file of this repository, so that the same file runs compiled and, by Node's
// type stripping, from its source.

/** JSON of a file is hardly longer than the file, unless aliases stand for the same again and again. */
const MOST_GROWTH = 4;
const SHORT_CHARACTERS = 64 * 1024;

/** In the failsafe schema a number stays the text that it was, so that no amount is rounded. JSON is YAML. */
function read(text: string): { readonly json: string } | { readonly problem: string } {
  try {
    const lines = new LineCounter();
    const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, lineCounter: lines });
    const problem = document.errors[0]?.message.split('\n', 1)[0] ?? findRepeatedKey(document, lines);
    if (problem !== undefined) return { problem };
    const json = JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null);
    const isLong = json.length > MOST_GROWTH * text.length + SHORT_CHARACTERS;
    return isLong ? { problem: 'its aliases stand for too much' } : { json };
  } catch (error) {
    return { problem: (error instanceof Error && error.message.split('\n', 1)[0]) || '' };
  }
}

/**
 * Finds a key that is in its map twice. The parser itself would compare each key of a map with all before it: thousands take
 * seconds.
 *
 * @returns what the parser says of it.
 */
function findRepeatedKey(document: ReturnType<typeof parseDocument>, lines: LineCounter): string | undefined {
  let problem: string | undefined;
  visit(document, {
    Map(_key, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (names.has(key.value)) {
          const { line, col } = lines.linePos(key.range?.[0] ?? 0);
          problem = `Map keys must be unique at line ${line}, column ${col}:`;
          return visit.BREAK;
        }
        names.add(key.value);
      }
      return undefined;
    },
  });
  return problem;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(read(workerData as string));
