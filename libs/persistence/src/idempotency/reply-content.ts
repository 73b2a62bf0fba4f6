import type { DataSource, EntityManager } from 'typeorm';
import type { ReplyPlace } from './seal-reply.js';

/** Goes to the database in one message: the driver copies what it sends, in one step. */
const SENT_AT_ONCE = 1024 * 1024;
/** Comes from the database in one row: the driver reads a row in one step. */
const READ_AT_ONCE = 256 * 1024;

/**
 * Writes the content of a reply, however long it is. What is too long for one message is gathered in a large object first, which
 * lives no longer than the transaction.
 *
 * @param write carries out the statement, with an SQL expression for the content and the value of its parameter, the eighth.
 */
export async function writeContent(
  database: DataSource,
  content: readonly Buffer[],
  write: (manager: EntityManager, bytes: string, given: Buffer | number) => Promise<unknown>,
): Promise<void> {
  const length = content.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= SENT_AT_ONCE) {
    await write(database.manager, '$8::bytea', Buffer.concat(content));
    return;
  }
  await database.transaction(async (manager) => {
    const [{ object } = { object: 0 }] = await manager.query<{ object: number }[]>(
      'select lo_create(0) as object',
    );
    let at = 0;
    for (const piece of content) {
      for (let from = 0; from < piece.length; from += SENT_AT_ONCE) {
        const part = piece.subarray(from, from + SENT_AT_ONCE);
        await manager.query('select lo_put($1::oid, $2::bigint, $3::bytea)', [object, at, part]);
        at += part.length;
      }
    }
    await write(manager, 'lo_get($8::oid)', object);
    await manager.query('select lo_unlink($1::oid)', [object]);
  });
}

/**
 * The content of a reply as it is stored, in pieces that nobody else reads. It is that of the named call alone: the key may have
 * been given to another one meanwhile.
 *
 * @returns `undefined` where there is none.
 */
export async function readContent(
  database: DataSource,
  { tokenId, key, requestId }: ReplyPlace & { readonly requestId: string },
): Promise<readonly Buffer[] | undefined> {
  // In one piece within the database, which would otherwise decompress it anew for each part.
  const parts = await database.query<{ at: number; part: Buffer }[]>(
    `with reply as materialized (
       select coalesce(body, compressed, convert_to(sealed, 'UTF8')) || ''::bytea as content
         from idempotent_reply
        where token_id = $1 and key = $2 and request_id = $4 and num_nonnulls(body, compressed, sealed) > 0)
     select at, substring(content from at for $3::int) as part
       from reply, generate_series(1, greatest(octet_length(content), 1), $3::int) as at`,
    [tokenId, key, READ_AT_ONCE, requestId],
  );
  if (parts.length === 0) return undefined;
  return parts.toSorted((one, other) => one.at - other.at).map(({ part }) => part);
}
