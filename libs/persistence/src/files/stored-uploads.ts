import { createHash } from 'node:crypto';
import { GatewayError, toStorableText } from '@mg/contract';
import type { DataSource, EntityManager } from 'typeorm';
import type { FileFacts, NewFile, StoredFiles } from './stored-files.js';

/** What is known of a file that comes in parts. */
export interface UploadFacts extends Pick<
  FileFacts,
  'id' | 'purpose' | 'filename' | 'mimeType' | 'createdAt' | 'expiresAt'
> {
  /** What its parts have to hold together. */
  readonly bytes: number;
  readonly state: 'pending' | 'completing' | 'completed' | 'cancelled';
  /** The file that it has become, or is to become where that is known. */
  readonly fileId: string | undefined;
  /** How long that file is kept; days of retention when left out. */
  readonly keepSeconds: number | undefined;
}

export type NewUpload = Pick<UploadFacts, 'id' | 'purpose' | 'filename' | 'bytes' | 'keepSeconds'> &
  Partial<Pick<UploadFacts, 'mimeType' | 'fileId'>>;

/** What has come of an upload. */
export type UploadPart = Pick<FileFacts, 'id' | 'bytes'>;

/** How an upload becomes a file. */
export interface UploadCompletion {
  readonly fileId: string;
  /** In the order of the file. */
  readonly partIds: readonly string[];
  /** Of the whole file, in hexadecimal digits; not checked when left out. */
  readonly md5: string | undefined;
}

type Content = Parameters<StoredFiles['upload']>[2];

/** How long parts may come. */
const OPEN_SECONDS = 3_600;
/** Uploads of one wallet within that time. */
const MAX_UPLOADS = 1_000;
const RETRY_AFTER_SECONDS = 60;
const DELETED_AT_ONCE = 100;

interface UploadRow {
  readonly id: string;
  readonly purpose: string;
  readonly filename: string;
  readonly mime_type: string | null;
  readonly bytes: string;
  readonly keep_seconds: number | null;
  readonly state: UploadFacts['state'];
  readonly file_id: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const COLUMNS =
  'id, purpose, filename, mime_type, bytes, keep_seconds, state, file_id, created_at, expires_at';

/** Files of wallets that come in parts. A part is stored as a file is, but no wallet sees it, and gone within the hour. */
export class StoredUploads {
  constructor(
    private readonly database: DataSource,
    private readonly files: StoredFiles,
  ) {}

  /** @throws GatewayError `rate_limited` where the wallet has begun as many within the hour as it may. */
  create(walletId: string, upload: NewUpload): Promise<UploadFacts> {
    const { id, purpose, filename, mimeType, bytes, keepSeconds, fileId } = upload;
    return this.database.transaction(async (manager) => {
      await manager.query(`select pg_advisory_xact_lock(hashtextextended('stored_upload ' || $1, 0))`, [
        walletId,
      ]);
      const [{ begun } = { begun: 0 }] = await manager.query<{ begun: number }[]>(
        'select count(*)::int as begun from stored_upload where wallet_id = $1 and expires_at > now()',
        [walletId],
      );
      if (begun >= MAX_UPLOADS) {
        throw new GatewayError(
          'rate_limited',
          `The wallet of this API key has begun ${MAX_UPLOADS} uploads within the hour.`,
          { retryAfter: RETRY_AFTER_SECONDS },
        );
      }
      const [row] = await manager.query<[UploadRow]>(
        `insert into stored_upload
           (wallet_id, id, purpose, filename, bytes, keep_seconds, expires_at, mime_type, file_id)
         values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), $8, $9) returning ${COLUMNS}`,
        [
          walletId,
          id,
          purpose,
          toStorableText(filename),
          bytes,
          keepSeconds ?? null,
          OPEN_SECONDS,
          mimeType ?? null,
          fileId ?? null,
        ],
      );
      return toFacts(row);
    });
  }

  async find(walletId: string, id: string): Promise<UploadFacts | undefined> {
    const [row] = await this.database.query<UploadRow[]>(
      `select ${COLUMNS} from stored_upload where wallet_id = $1 and id = $2 and expires_at > now()`,
      [walletId, id],
    );
    return row && toFacts(row);
  }

  /** @throws GatewayError `request_too_large` where the wallet would hold more than it may. */
  addPart(walletId: string, upload: UploadFacts, id: string, content: Content): Promise<FileFacts> {
    const { purpose, filename, expiresAt } = upload;
    const expiresInSeconds = Math.max(1, Math.round((expiresAt.getTime() - Date.now()) / 1_000));
    const part: NewFile = { id, purpose, filename, expiresInSeconds, partOf: upload.id };
    return this.files.upload(walletId, part, content);
  }

  /** The parts that have come whole, in the order of their ids. */
  async listParts(walletId: string, uploadId: string): Promise<readonly UploadPart[]> {
    const rows = await this.database.query<{ id: string; bytes: string }[]>(
      'select id, bytes from stored_file where wallet_id = $1 and upload_id = $2 and is_whole order by id',
      [walletId, uploadId],
    );
    return rows.map(({ id, bytes }) => ({ id, bytes: Number(bytes) }));
  }

  /**
   * Puts parts together, and forgets them. An upload that fails at it goes on as before.
   *
   * @returns `undefined` when it is not pending any more.
   * @throws GatewayError `invalid_request` naming what does not agree with the parts.
   */
  async complete(
    walletId: string,
    { id, purpose, filename, mimeType, bytes, keepSeconds }: UploadFacts,
    { fileId, partIds, md5 }: UploadCompletion,
  ): Promise<FileFacts | undefined> {
    if (!(await this.#change(walletId, id, 'pending', 'completing'))) return undefined;
    try {
      const parts = await this.#findParts(walletId, id, partIds);
      const held = parts.reduce((sum, part) => sum + part.bytes, 0);
      if (held !== bytes) throw refuse('part_ids', `name parts of ${held} bytes, the upload has ${bytes}`);
      const file = { id: fileId, purpose, filename, mimeType, expiresInSeconds: keepSeconds };
      const made = await this.files.write(walletId, file, checkMd5(this.#readAll(walletId, parts), md5));
      await this.#finish(walletId, id, fileId);
      return made;
    } catch (error) {
      await this.files.delete(walletId, fileId).catch(() => undefined);
      await this.#change(walletId, id, 'completing', 'pending').catch(() => undefined);
      throw error;
    }
  }

  /** Forgets what has come. @returns whether it was pending. */
  async cancel(walletId: string, id: string): Promise<boolean> {
    const isCancelled = await this.#change(walletId, id, 'pending', 'cancelled');
    if (isCancelled) await this.#deleteParts(this.database, walletId, id);
    return isCancelled;
  }

  /** Deletes uploads whose time is over; their parts go as files do. */
  async expire(): Promise<void> {
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;) {
      [, deleted] = await this.database.query<[unknown[], number]>(
        `delete from stored_upload where (wallet_id, id) in (
           select u.wallet_id, u.id from stored_upload u where u.expires_at < now()
            limit $1 for update skip locked)`,
        [DELETED_AT_ONCE],
      );
    }
  }

  async #change(
    walletId: string,
    id: string,
    from: UploadFacts['state'],
    to: UploadFacts['state'],
  ): Promise<boolean> {
    const [, changed] = await this.database.query<[unknown[], number]>(
      'update stored_upload set state = $4 where wallet_id = $1 and id = $2 and state = $3 and expires_at > now()',
      [walletId, id, from, to],
    );
    return changed > 0;
  }

  async #finish(walletId: string, id: string, fileId: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      await manager.query(
        `update stored_upload set state = 'completed', file_id = $3 where wallet_id = $1 and id = $2`,
        [walletId, id, fileId],
      );
      await this.#deleteParts(manager, walletId, id);
    });
  }

  async #deleteParts(database: DataSource | EntityManager, walletId: string, id: string): Promise<void> {
    await database.query('delete from stored_file where wallet_id = $1 and upload_id = $2', [walletId, id]);
  }

  /** In the order in which they are named. */
  async #findParts(walletId: string, uploadId: string, partIds: readonly string[]) {
    const rows = await this.database.query<{ id: string; bytes: string }[]>(
      'select id, bytes from stored_file where wallet_id = $1 and upload_id = $2 and is_whole and id = any ($3)',
      [walletId, uploadId, partIds],
    );
    const found = new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]));
    return partIds.map((id, index) => {
      const bytes = found.get(id);
      if (bytes === undefined) throw refuse(`part_ids[${index}]`, 'is no part of this upload');
      return { id, bytes };
    });
  }

  async *#readAll(walletId: string, parts: readonly UploadPart[]): AsyncGenerator<Buffer> {
    for (const part of parts) yield* this.files.read(walletId, part);
  }
}

/** Ends in an error where the content is not what its sender has counted. @throws GatewayError `invalid_request` */
async function* checkMd5(content: AsyncIterable<Buffer>, expected: string | undefined) {
  const hash = createHash('md5');
  for await (const piece of content) {
    if (expected !== undefined) hash.update(piece);
    yield piece;
  }
  if (expected !== undefined && hash.digest('hex') !== expected.toLowerCase()) {
    throw refuse('md5', 'is not that of the parts');
  }
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}

function toFacts(row: UploadRow): UploadFacts {
  return {
    id: row.id,
    purpose: row.purpose,
    filename: row.filename,
    mimeType: row.mime_type ?? undefined,
    bytes: Number(row.bytes),
    state: row.state,
    fileId: row.file_id ?? undefined,
    keepSeconds: row.keep_seconds ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
