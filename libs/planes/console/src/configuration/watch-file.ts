import { readFile, stat } from 'node:fs/promises';
import { sha256 } from '@mg/contract';

const LOOK_EVERY_MS = 1_000;
/** A content that has stayed for so long is not half-written. */
const SETTLED_AFTER_MS = 150;

interface WatchedFile {
  close(): Promise<void>;
}

/**
 * Calls back when a file's content has changed: by looking, which works for editors that write a new file in place of the
 * old and for directories that are swapped by a link, and only once the content has stayed for a moment, so that a file
 * is not read half-written. A file that is gone has not changed.
 *
 * @param knownText the content that the caller has seen already.
 */
export function watchFile(
  path: string,
  knownText: string,
  onChange: (text: string) => Promise<void>,
): WatchedFile {
  let known = sha256(knownText);
  let pending = known;
  let seenStamp = '';
  let closed = false;
  let timer: NodeJS.Timeout;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const stamp = await readStamp(path);
    if (stamp === undefined || (stamp === seenStamp && pending === known)) return;
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return;
    seenStamp = stamp;
    const digest = sha256(text);
    const isStable = digest === pending;
    pending = digest;
    if (!isStable || digest === known) return;
    known = digest;
    await onChange(text);
  }

  function schedule(): void {
    timer = setTimeout(
      () => {
        looking = look().finally(() => {
          if (!closed) schedule();
        });
      },
      pending === known ? LOOK_EVERY_MS : SETTLED_AFTER_MS,
    );
  }

  schedule();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

async function readStamp(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}
