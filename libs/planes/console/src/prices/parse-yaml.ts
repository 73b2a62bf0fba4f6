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

/** Parses YAML, in which every value stays the text that it was, in a thread of its own: a megabyte takes about a second. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  const worker = new Worker(WORKER_FILE, { workerData: text, resourceLimits: LIMITS });
  try {
    const [parsed] = (await once(worker, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) })) as [
      ParsedYaml,
    ];
    return parsed;
  } catch {
    // Out of time, or of memory.
    return { problem: TOO_MUCH };
  } finally {
    await worker.terminate();
  }
}
