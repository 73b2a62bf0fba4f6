import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { cutInParts, GatewayError } from '@mg/contract';
import {
  IV_BYTES,
  KEY_BYTES,
  openBytes,
  openSecretBytes,
  sealBytes,
  sealSecret,
  type SecretKey,
  TAG_BYTES,
} from '../secrets/seal-secret.js';
import { nameRow } from './seal-part.js';

/** Where contents may lie outside of Postgres: the result store. */
export interface ObjectStore {
  /** @param size `undefined` where it is not known beforehand. @throws when the object cannot be kept whole. */
  keep(name: string, contentType: string, body: Readable, size: number | undefined): Promise<void>;
  /** Status 200 with the content, or another one. @throws when the store cannot be reached. */
  open(name: string, requested: object): Promise<{ readonly status: number; readonly body: Readable }>;
  /** @throws when the object may still be there; not for one that there is not. */
  remove(name: string): Promise<void>;
}

/** Which file an object belongs to. */
export interface ObjectOwner {
  readonly walletId: string;
  readonly fileId: string;
}

/** An object, and its key as it stands in the row of its file. */
export interface FileObject {
  readonly name: string;
  readonly sealedKey: string;
}

export interface ObjectOptions {
  /** Waited for before a part is encrypted or decrypted. */
  readonly pause: () => Promise<void>;
  /** Told why the store has not taken or not given an object. */
  readonly onFailure: (error: unknown) => void;
}

/** Encrypted or decrypted in well under a millisecond. */
const PART_BYTES = 128 * 1024;
const SEALED_PART_BYTES = IV_BYTES + PART_BYTES + TAG_BYTES;
/** A store that has failed is asked for nothing new for so long. */
const REST_MS = 60_000;
const RETRY_AFTER_SECONDS = 10;

/**
 * Contents of files as objects of the result store. Each is encrypted with a key of its own, in parts that are bound to their
 * places; that key lies in Postgres alone, encrypted, so an object whose row is gone can be read by nobody.
 */
export class FileObjects {
  #restsUntil = 0;

  constructor(
    private readonly store: ObjectStore | undefined,
    private readonly key: SecretKey,
    private readonly options: ObjectOptions,
  ) {}

  /** Whether objects are written at the moment. */
  get isOpen(): boolean {
    return this.store !== undefined && performance.now() >= this.#restsUntil;
  }

  /** A name that nobody can guess, and a new key. */
  create(owner: ObjectOwner): FileObject {
    const name = `file_${randomUUID()}.sealed`;
    return { name, sealedKey: sealObjectKey(randomBytes(KEY_BYTES), owner, this.key) };
  }

  /** @returns how many bytes the content has. @throws what the store says; it is left alone for a minute then. */
  async write(object: FileObject, owner: ObjectOwner, content: AsyncIterable<Buffer>): Promise<number> {
    if (!this.store) throw new Error('RESULT_STORE names no result store.');
    const sealed = new SealedContent(content, owner, {
      bytes: openObjectKey(object.sealedKey, owner, this.key),
    });
    const body = Readable.from(sealed.read(this.options.pause), { objectMode: false });
    try {
      await this.store.keep(object.name, 'application/octet-stream', body, undefined);
      return sealed.bytes;
    } catch (error) {
      this.#restsUntil = performance.now() + REST_MS;
      this.options.onFailure(error);
      throw error;
    }
  }

  /**
   * The content of an object, piece by piece.
   *
   * @param bytes how many it has: one that is cut short ends in an error.
   * @throws GatewayError `service_unavailable` when the store cannot be read, SecretError for an object that was altered.
   */
  async *read(object: FileObject, owner: ObjectOwner, bytes: number): AsyncGenerator<Buffer> {
    const key = { bytes: openObjectKey(object.sealedKey, owner, this.key) };
    const body = await this.#open(object.name);
    try {
      let part = 0;
      let read = 0;
      for await (const sealed of cutInParts(body, SEALED_PART_BYTES)) {
        await this.options.pause();
        const piece = openBytes(sealed, nameRow({ ...owner, part: part++ }), key);
        read += piece.length;
        yield piece;
      }
      if (read !== bytes) throw new Error(`The result store has ${read} of ${bytes} bytes of a file.`);
    } catch (error) {
      this.options.onFailure(error);
      throw error;
    } finally {
      body.destroy();
    }
  }

  async #open(name: string): Promise<Readable> {
    try {
      if (!this.store) throw new Error('The file is in a result store, and RESULT_STORE names none.');
      const { status, body } = await this.store.open(name, {});
      if (status === 200) return body;
      body.destroy();
      throw new Error(`The result store answered with status ${status}.`);
    } catch (error) {
      this.options.onFailure(error);
      throw new GatewayError(
        'service_unavailable',
        'The content of this file cannot be read at the moment.',
        {
          retryAfter: RETRY_AFTER_SECONDS,
          cause: error,
        },
      );
    }
  }
}

/** Encrypts the key of an object for the row of its file. */
export function sealObjectKey(bytes: Buffer, owner: ObjectOwner, key: SecretKey): string {
  return sealSecret(bytes, nameKey(owner), key);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openObjectKey(sealed: string, owner: ObjectOwner, key: SecretKey): Buffer {
  return openSecretBytes(sealed, nameKey(owner), key);
}

function nameKey({ walletId, fileId }: ObjectOwner): string {
  return `key of file ${walletId} ${fileId}`;
}

/** Content that is encrypted as it is read. */
class SealedContent {
  /** How many were read so far, before encryption. */
  bytes = 0;

  constructor(
    private readonly content: AsyncIterable<Buffer>,
    private readonly owner: ObjectOwner,
    private readonly key: Pick<SecretKey, 'bytes'>,
  ) {}

  async *read(pause: () => Promise<void>): AsyncGenerator<Buffer> {
    let part = 0;
    for await (const piece of cutInParts(this.content, PART_BYTES)) {
      await pause();
      this.bytes += piece.length;
      yield sealBytes(piece, nameRow({ ...this.owner, part: part++ }), this.key);
    }
  }
}
