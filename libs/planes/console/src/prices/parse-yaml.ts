import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Under vitest this file is read from its source, and so is the worker's. */
const WORKER_FILE = new URL(
  import.meta.url.endsWith('.ts') ? './yaml-worker.ts' : './yaml-worker.js',
  import.meta.url,
);
/** A megabyte takes about a second. */
const DEADLINE_MS = 20_000;
/** Heap of the thread, in MB: what the parser makes of a megabyte takes a hundred times as much. */
const LIMITS = { maxOldGenerationSizeMb: 256 };
const TOO_MUCH = 'it holds too much';

/** YAML as JSON, or what is wrong with it. */
export type ParsedYaml = { readonly json: string } | { readonly problem: string };

/** The file that is parsed now: a thread may take 256 MB. */
let running: Promise<unknown> = Promise.resolve();

/**
 * Parses YAML, in which every value stays the text that it was, in a thread of its own: a megabyte takes about a second. One file
 * is parsed after the other.
 */
export function parseYaml(text: string): Promise<ParsedYaml> {
  const parsed = running.then(() => parseInThread(text));
  running = parsed.catch(() => undefined);
  return parsed;
}

async function parseInThread(text: string): Promise<ParsedYaml> {
  const worker = new Worker(WORKER_FILE, { workerData: text, resourceLimits: LIMITS });
  try {
    const [parsed] = (await once(worker, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) })) as [
      ParsedYaml,
    ];
    return parsed;
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    return { problem: TOO_MUCH };
  } finally {
    await worker.terminate();
  }
}

/** Whether a thread was out of time or of memory: anything else is a fault of ours. */
function isTooMuch(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ABORT_ERR' || code === 'ERR_WORKER_OUT_OF_MEMORY';
}
