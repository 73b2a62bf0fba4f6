import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OpenedFile } from '../jobs/job-http.js';
import type { RangeRequest, ResultStore } from './result-store.js';
import { serveFile } from './serve-bytes.js';

const TYPES: Readonly<Record<string, string>> = {
  webm: 'video/webm',
  mov: 'video/quicktime',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** How names end of files that are being written. */
const UNFINISHED = '.part';

/** Results in a directory of this machine, or of a volume that gateway and worker share. */
export class DiskResults implements ResultStore {
  constructor(private readonly directory: string) {}

  async keep(name: string, _contentType: string, body: Readable, size: number | undefined): Promise<void> {
    const path = this.#pathOf(name);
    const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await pipeline(body, createWriteStream(unfinished, { mode: 0o600, flush: true }));
      const kept = (await stat(unfinished)).size;
      if (size !== undefined && kept !== size) throw new Error(`${kept} of ${size} bytes came`);
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async open(name: string, requested: RangeRequest): Promise<OpenedFile> {
    const path = this.#pathOf(name);
    const facts = await stat(path).catch(() => undefined);
    if (!facts) return { status: 404, headers: {}, body: Readable.from([]) };
    return serveFile(
      {
        size: facts.size,
        contentType: TYPES[name.split('.').at(-1) ?? ''] ?? 'video/mp4',
        etag: `"${name}-${facts.size}"`,
        read: (range) => createReadStream(path, range ? { start: range.first, end: range.last } : undefined),
      },
      requested,
    );
  }

  async remove(name: string): Promise<void> {
    const path = this.#pathOf(name);
    const directory = dirname(path);
    const unfinished = (await listNames(directory)).filter((other) => isUnfinished(other, name));
    await Promise.all(
      [path, ...unfinished.map((other) => join(directory, other))].map((one) => rm(one, { force: true })),
    );
  }

  async expire(prefix: string, olderThanMs: number): Promise<void> {
    const before = Date.now() - olderThanMs;
    for (const directory of await listNames(this.directory)) {
      for (const name of await listNames(join(this.directory, directory))) {
        if (!name.startsWith(prefix)) continue;
        const path = join(this.directory, directory, name);
        const facts = await stat(path).catch(() => undefined);
        if (facts && facts.mtimeMs < before) await rm(path, { force: true });
      }
    }
  }

  /** Names are ids of ours; two of their last characters spread them over directories. */
  #pathOf(name: string): string {
    if (!/^[\w-]{4,64}\.\w{1,8}$/.test(name)) throw new Error('That is no name of a result.');
    return join(this.directory, name.split('.')[0]?.slice(-2) ?? '', name);
  }
}

function isUnfinished(other: string, name: string): boolean {
  return other.startsWith(`${name}.`) && other.endsWith(UNFINISHED);
}

/** Nothing of a directory that there is not, or not any more. */
function listNames(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
