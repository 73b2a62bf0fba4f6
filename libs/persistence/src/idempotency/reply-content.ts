import type { DataSource } from 'typeorm';
import type { ReplyPlace } from './seal-reply.js';

/** Comes from the database in one row: the driver reads a row in one step. */
const READ_AT_ONCE = 256 * 1024;

/**
 * What is stored of a reply in its own row, in pieces that nobody else reads: up to tens of megabytes, as versions before
 * migration 0085 kept long ones there. It is that of the named call alone: the key may have been given to another one meanwhile.
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
