import { setImmediate } from 'node:timers/promises';
import { cutInParts, GatewayError, toStorableText } from '@mg/contract';
import type { DataSource, EntityManager } from 'typeorm';
import type { SecretKey } from '../secrets/seal-secret.js';
import { type FileObject, FileObjects, type ObjectOwner, type ObjectStore } from './file-objects.js';
import { openPart, sealPart } from './seal-part.js';

/** What is known of a file beside its content. */
export interface FileFacts {
  readonly id: string;
  readonly purpose: string;
  readonly filename: string;
  /** As its sender says; `undefined` where nobody said it. */
  readonly mimeType: string | undefined;
  readonly bytes: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Where its content is an object of the result store. */
  readonly objectName?: string | undefined;
}

export interface NewFile extends Pick<FileFacts, 'id' | 'purpose' | 'filename'> {
  /** Days of retention when left out. */
  readonly expiresInSeconds?: number | undefined;
  readonly mimeType?: string | undefined;
  /** The upload that it is a part of: it is no file of its own then. */
  readonly partOf?: string;
}

/** Carries out a step in a transaction, as long as its caller is the one that may write. @throws what says that it is not. */
export type WhileOwned = <Result>(step: (manager: EntityManager) => Promise<Result>) => Promise<Result>;

/** One page of a wallet's files. */
export interface FilePage {
  /** Files of these alone. */
  readonly purposes?: readonly string[] | undefined;
  /** The last file of the page before. */
  readonly after?: string | undefined;
  /** The first file of the page after; instead of `after`. */
  readonly before?: string | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

const MEBIBYTE = 1024 * 1024;
/** What is kept of one wallet; a file beyond it is refused. */
const MAX_WALLET_BYTES = 512 * MEBIBYTE;
const MAX_WALLET_FILES = 10_000;
/** Encrypted or decrypted in well under a millisecond. */
const PART_BYTES = 128 * 1024;
const DELETED_AT_ONCE = 10;
const SECONDS_A_DAY = 86_400;

interface StoredFilesOptions {
  /** How long files are kept that say nothing of it. */
  readonly keepDays: number;
  /** Waited for before a part is encrypted or decrypted. */
  readonly pause?: () => Promise<void>;
  readonly maxWalletBytes?: number;
  /** Where results are kept instead of Postgres. */
  readonly store?: ObjectStore | undefined;
  /** Told why the store has not taken or not given a file. */
  readonly onStoreFailure?: (error: unknown) => void;
}

interface FileRow {
  readonly id: string;
  readonly purpose: string;
  readonly filename: string;
  readonly mime_type: string | null;
  readonly bytes: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly object_name: string | null;
}

const COLUMNS = 'id, purpose, filename, mime_type, bytes, created_at, expires_at, object_name';
/** What is there for its wallet. `$1` is the wallet. */
const VISIBLE = 'wallet_id = $1 and is_whole and expires_at > now() and upload_id is null';

/** Files of wallets, each readable with its wallet alone and encrypted at rest, in parts. */
export class StoredFiles {
  readonly #keepSeconds: number;
  readonly #pause: () => Promise<void>;
  readonly #maxWalletBytes: number;
  readonly #objects: FileObjects;

  constructor(
    private readonly database: DataSource,
    private readonly key: SecretKey,
    {
      keepDays,
      pause = setImmediate,
      maxWalletBytes = MAX_WALLET_BYTES,
      store,
      onStoreFailure = () => undefined,
    }: StoredFilesOptions,
  ) {
    this.#keepSeconds = keepDays * SECONDS_A_DAY;
    this.#pause = pause;
    this.#maxWalletBytes = maxWalletBytes;
    this.#objects = new FileObjects(store, key, { pause, onFailure: onStoreFailure });
  }

  /**
   * Keeps what a caller has sent.
   *
   * @throws GatewayError `request_too_large` where the wallet would hold more than it may.
   */
  async upload(
    walletId: string,
    file: NewFile,
    content: { readonly length: number; read(): AsyncIterable<Buffer> },
  ): Promise<FileFacts> {
    await this.database.transaction(async (manager) => {
      await this.#needRoom(manager, walletId, content.length);
      await this.#insert(manager, walletId, file, content.length);
    });
    return this.#fill(walletId, file, content.read());
  }

  /**
   * Writes results in the place of a file of the same id: into the result store, and into Postgres where there is none or
   * it does not take them.
   *
   * @param read their content, each time from its beginning.
   * @param whileOwned what is there is replaced, and the new file seen, in this alone: a writer that was frozen comes too late.
   */
  async writeResults(
    walletId: string,
    file: NewFile,
    read: () => AsyncIterable<Buffer>,
    whileOwned: WhileOwned,
  ): Promise<FileFacts> {
    if (!this.#objects.isOpen) return this.#writeHere(walletId, file, read(), whileOwned);
    const owner = { walletId, fileId: file.id };
    const object = this.#objects.create(owner);
    // The row comes first: an object that nobody knows of would stay for ever.
    await whileOwned((manager) => this.#replace(manager, walletId, file, object));
    let bytes: number;
    try {
      bytes = await this.#objects.write(object, owner, read());
    } catch {
      await this.#leaveObject(walletId, file.id, object.name);
      return this.#writeHere(walletId, file, read(), whileOwned);
    }
    return whileOwned((manager) => this.#complete(manager, owner, bytes, object.name));
  }

  /** Writes a file of the gateway's own, in the place of one of the same id, however much there is. */
  async write(walletId: string, file: NewFile, content: AsyncIterable<Buffer>): Promise<FileFacts> {
    await this.#replace(this.database.manager, walletId, file);
    return this.#fill(walletId, file, content);
  }

  async find(walletId: string, id: string): Promise<FileFacts | undefined> {
    const [row] = await this.database.query<FileRow[]>(
      `select ${COLUMNS} from stored_file where ${VISIBLE} and id = $2`,
      [walletId, id],
    );
    return row && toFacts(row);
  }

  /** Those of some files that are there, in any order. */
  async findAll(walletId: string, ids: readonly string[]): Promise<FileFacts[]> {
    const rows = await this.database.query<FileRow[]>(
      `select ${COLUMNS} from stored_file where ${VISIBLE} and id = any ($2)`,
      [walletId, ids],
    );
    return rows.map(toFacts);
  }

  /** Files in the order of their making. A page after or before a file that is not there is empty. */
  async list(walletId: string, { purposes, after, before, limit, order }: FilePage): Promise<FileFacts[]> {
    const isBackwards = before !== undefined;
    const isUp = (order === 'asc') !== isBackwards;
    const rows = await this.database.query<FileRow[]>(
      `select ${COLUMNS} from stored_file where ${VISIBLE} and ($2::text[] is null or purpose = any ($2))
          and ($3::text is null or (created_at, id) ${isUp ? '>' : '<'}
            (select a.created_at, a.id from stored_file a where a.wallet_id = $1 and a.id = $3))
        order by created_at ${isUp ? 'asc' : 'desc'}, id ${isUp ? 'asc' : 'desc'} limit $4`,
      [walletId, purposes ?? null, before ?? after ?? null, limit],
    );
    const found = rows.map(toFacts);
    return isBackwards ? found.toReversed() : found;
  }

  /**
   * The content of a file, piece by piece. A file that goes meanwhile ends in an error.
   *
   * @throws SecretError when it was encrypted with a key that is gone, GatewayError `service_unavailable` when it lies in the
   *   result store and that cannot be read.
   */
  async *read(
    walletId: string,
    { id, bytes, objectName }: Pick<FileFacts, 'id' | 'bytes' | 'objectName'>,
  ): AsyncGenerator<Buffer> {
    if (objectName !== undefined) {
      const object = await this.#findObject(walletId, id, objectName);
      yield* this.#objects.read(object, { walletId, fileId: id }, bytes);
      return;
    }
    let read = 0;
    for (let part = 0; read < bytes; part++) {
      const [row] = await this.database.query<{ sealed: string }[]>(
        'select sealed from stored_file_part where wallet_id = $1 and file_id = $2 and part = $3',
        [walletId, id, part],
      );
      if (!row) throw new Error('The file was deleted while it was read.');
      await this.#pause();
      const piece = openPart(row.sealed, { walletId, fileId: id, part }, this.key);
      read += piece.length;
      yield piece;
    }
  }

  /** @returns whether there was one. */
  async delete(walletId: string, id: string, manager = this.database.manager): Promise<boolean> {
    const [, deleted] = await manager.query<[unknown[], number]>(
      'delete from stored_file where wallet_id = $1 and id = $2',
      [walletId, id],
    );
    return deleted > 0;
  }

  /** Deletes files whose time is over, and what is left of those whose writer was lost. */
  async expire(): Promise<void> {
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;) {
      [, deleted] = await this.database.query<[unknown[], number]>(
        `delete from stored_file where (wallet_id, id) in (
           select f.wallet_id, f.id from stored_file f
            where f.expires_at < now() or (not f.is_whole and f.created_at < now() - interval '1 day')
            limit $1 for update skip locked)`,
        [DELETED_AT_ONCE],
      );
    }
  }

  /** Files of one wallet are begun one after another, so that none of them slips past the limit. */
  async #needRoom(manager: EntityManager, walletId: string, bytes: number): Promise<void> {
    await manager.query(`select pg_advisory_xact_lock(hashtextextended('stored_file ' || $1, 0))`, [
      walletId,
    ]);
    const [held] = await manager.query<{ bytes: string; files: number }[]>(
      'select coalesce(sum(bytes), 0) as bytes, count(*)::int as files from stored_file where wallet_id = $1',
      [walletId],
    );
    if (Number(held?.bytes) + bytes <= this.#maxWalletBytes && Number(held?.files) < MAX_WALLET_FILES) return;
    throw new GatewayError(
      'request_too_large',
      `The files of this wallet hold ${held?.bytes} bytes in ${held?.files} files, and may hold ${this.#maxWalletBytes} ` +
        `bytes in ${MAX_WALLET_FILES} files: delete some of them.`,
      { param: 'file' },
    );
  }

  async #insert(
    manager: EntityManager,
    walletId: string,
    { id, purpose, filename, mimeType, expiresInSeconds, partOf }: NewFile,
    bytes: number,
    object?: FileObject,
  ): Promise<void> {
    await manager.query(
      `insert into stored_file
         (wallet_id, id, purpose, filename, bytes, expires_at, upload_id, mime_type, object_name, sealed_key)
       values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), $7, $8, $9, $10)`,
      [
        walletId,
        id,
        purpose,
        toStorableText(filename),
        bytes,
        expiresInSeconds ?? this.#keepSeconds,
        partOf ?? null,
        mimeType ?? null,
        object?.name ?? null,
        object?.sealedKey ?? null,
      ],
    );
  }

  async #replace(
    manager: EntityManager,
    walletId: string,
    file: NewFile,
    object?: FileObject,
  ): Promise<void> {
    await this.delete(walletId, file.id, manager);
    await this.#insert(manager, walletId, file, 0, object);
  }

  /** Results in Postgres. What is left of them after a failure may be another writer's by then: the next one replaces it. */
  async #writeHere(
    walletId: string,
    file: NewFile,
    content: AsyncIterable<Buffer>,
    whileOwned: WhileOwned,
  ): Promise<FileFacts> {
    await whileOwned((manager) => this.#replace(manager, walletId, file));
    const bytes = await this.#writeParts(walletId, file.id, content);
    return whileOwned((manager) => this.#complete(manager, { walletId, fileId: file.id }, bytes));
  }

  async #fill(walletId: string, { id }: NewFile, content: AsyncIterable<Buffer>): Promise<FileFacts> {
    try {
      const bytes = await this.#writeParts(walletId, id, content);
      return await this.#complete(this.database.manager, { walletId, fileId: id }, bytes);
    } catch (error) {
      await this.delete(walletId, id).catch(() => undefined);
      throw error;
    }
  }

  /** Has the wallet see a file, unless another writer has taken its place. */
  async #complete(
    manager: EntityManager,
    { walletId, fileId }: ObjectOwner,
    bytes: number,
    objectName?: string,
  ): Promise<FileFacts> {
    const [[row]] = await manager.query<[FileRow[], number]>(
      `update stored_file set is_whole = true, bytes = $3
        where wallet_id = $1 and id = $2 and object_name is not distinct from $4 returning ${COLUMNS}`,
      [walletId, fileId, bytes, objectName ?? null],
    );
    if (!row) throw new Error('The file was deleted while it was written.');
    return toFacts(row);
  }

  /** Deletes a file whose object was not kept. @throws Error when another writer has taken its place, whose file is good. */
  async #leaveObject(walletId: string, id: string, name: string): Promise<void> {
    const [, deleted] = await this.database.query<[unknown[], number]>(
      'delete from stored_file where wallet_id = $1 and id = $2 and object_name = $3',
      [walletId, id, name],
    );
    if (deleted === 0) throw new Error('The file was deleted while it was written.');
  }

  async #findObject(walletId: string, id: string, name: string): Promise<FileObject> {
    const [row] = await this.database.query<{ sealed_key: string }[]>(
      'select sealed_key from stored_file where wallet_id = $1 and id = $2 and object_name = $3',
      [walletId, id, name],
    );
    if (!row) throw new Error('The file was deleted before it was read.');
    return { name, sealedKey: row.sealed_key };
  }

  async #writeParts(walletId: string, fileId: string, content: AsyncIterable<Buffer>): Promise<number> {
    let written = 0;
    let part = 0;
    for await (const bytes of cutInParts(content, PART_BYTES)) {
      await this.#pause();
      const sealed = sealPart(bytes, { walletId, fileId, part }, this.key);
      await this.database.query(
        'insert into stored_file_part (wallet_id, file_id, part, sealed) values ($1, $2, $3, $4)',
        [walletId, fileId, part, sealed],
      );
      written += bytes.length;
      part++;
    }
    return written;
  }
}

function toFacts(row: FileRow): FileFacts {
  return {
    id: row.id,
    purpose: row.purpose,
    filename: row.filename,
    mimeType: row.mime_type ?? undefined,
    bytes: Number(row.bytes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    objectName: row.object_name ?? undefined,
  };
}
