import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, GatewayError } from '@mg/contract';
import type { StoredFile } from '@mg/protocols';
import type { Logger } from '@mg/runtime';
import { BodyBudget, type BodyLease } from './body-budget.js';

const RETRY_AFTER_SECONDS = 1;
const PIECE_BYTES = 64 * 1024;
/** The signature of a file's type is within these first bytes. */
export const HEAD_BYTES = 64;

/**
 * Where large files of forms wait while channels are asked. A file loses its name as soon as it is open, so the system
 * takes it away with the process, however that ends.
 */
export class Spool {
  readonly #directory: string;
  readonly #budget: BodyBudget;

  constructor(directory: string, budget: BodyBudget) {
    this.#directory = directory;
    this.#budget = budget;
  }

  get heldBytes(): number {
    return this.#budget.heldBytes;
  }

  /**
   * A new file for the call that has the lease; it goes when the lease is released.
   *
   * @throws GatewayError `service_unavailable` when the disk does not take it.
   */
  async createFile(call: BodyLease): Promise<SpooledFile> {
    const path = join(this.#directory, randomUUID());
    const handle = await open(path, 'wx+', 0o600).catch(throwDiskError);
    const file = new SpooledFile(handle, this.#budget.open(call.tokenId));
    call.onRelease(() => void file.close());
    // Another gateway of the same directory may have cleared it while starting.
    await rm(path, { force: true }).catch(throwDiskError);
    return file;
  }
}

/** A file without a name. Its bytes count against the spool's budget until it is closed. */
export class SpooledFile implements StoredFile {
  readonly #handle: FileHandle;
  readonly #room: BodyLease;
  #head: Buffer = Buffer.alloc(0);
  #length = 0;

  constructor(handle: FileHandle, room: BodyLease) {
    this.#handle = handle;
    this.#room = room;
  }

  get head(): Buffer {
    return this.#head;
  }

  get length(): number {
    return this.#length;
  }

  /** @throws GatewayError when the spool or the disk has no room left; see `BodyBudget.take`. */
  async append(bytes: Buffer): Promise<void> {
    this.#room.take(bytes.length);
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, HEAD_BYTES - this.#head.length)]);
    }
    let written = 0;
    while (written < bytes.length) {
      const rest = bytes.length - written;
      const step = await this.#handle.write(bytes, written, rest, this.#length).catch(throwDiskError);
      written += step.bytesWritten;
      this.#length += step.bytesWritten;
    }
  }

  async *read(): AsyncGenerator<Buffer> {
    let at = 0;
    while (at < this.#length) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const { bytesRead } = await this.#handle.read(piece, 0, Math.min(PIECE_BYTES, this.#length - at), at);
      if (bytesRead === 0) throw new Error('A spooled file is shorter than what was written to it.');
      at += bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  }

  /** May be called more than once. Whoever still reads gets an error, never the bytes of another file. */
  async close(): Promise<void> {
    this.#room.release();
    await this.#handle.close().catch(() => undefined);
  }
}

function throwDiskError(cause: unknown): never {
  throw new GatewayError('service_unavailable', 'The gateway cannot keep large files at the moment.', {
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** Opens the spool of a gateway in the first directory that can be written. */
export async function openSpool(environment: Environment, logger: Logger): Promise<Spool> {
  const budget = new BodyBudget(environment.SPOOL_BUDGET_MB * 1024 * 1024);
  return new Spool(await prepareDirectory(environment.DATA_DIR, logger), budget);
}

/**
 * Under DATA_DIR, cleared of what a killed process may have left between naming a file and taking its name away; or else
 * where the system keeps what is temporary, which is not ours to clear.
 */
export async function prepareDirectory(dataDirectory: string, logger: Logger): Promise<string> {
  const directory = join(dataDirectory, 'spool');
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
    return directory;
  } catch (error) {
    logger.warn(
      { err: error, directory },
      'large uploads are spooled among the temporary files of the system',
    );
    return tmpdir();
  }
}
