import { Readable } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import { parseStream } from 'music-metadata';

// Runs in a thread of its own and imports no file of this repository, so that the same file runs compiled and, by Node's
// type stripping, from its source.

/** What a recording is said to be. */
interface Facts {
  readonly mimeType: string;
  readonly path: string;
  readonly size: number;
}

/** A recording begins, or its next bytes; `null` after the last. */
type Message =
  | { readonly id: number; readonly facts: Facts }
  | { readonly id: number; readonly piece: Uint8Array | null };

let input: { readonly id: number; readonly bytes: Readable } | undefined;

function post(message: { readonly id: number; readonly seconds?: number | undefined }): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

async function measure(id: number, facts: Facts): Promise<void> {
  const bytes = new Readable({ read: () => post({ id }) });
  input = { id, bytes };
  let seconds: number | undefined;
  try {
    const { format } = await parseStream(bytes, facts, { duration: true, skipCovers: true });
    seconds = format.duration;
  } catch {
    // It is no audio that can be read.
  }
  bytes.destroy();
  post({ id, seconds: seconds ?? Number.NaN });
}

parentPort?.on('message', (message: Message) => {
  if ('facts' in message) void measure(message.id, message.facts);
  else if (message.id === input?.id && !input.bytes.destroyed) input.bytes.push(message.piece);
});
