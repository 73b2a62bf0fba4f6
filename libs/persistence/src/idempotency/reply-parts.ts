import { freeBuffer } from '@mg/contract';
import type { DataSource, EntityManager } from 'typeorm';
import type { SealingSteps } from '../secrets/seal-in-steps.js';
import type { SecretKey } from '../secrets/seal-secret.js';
import { openReplyPart, type ReplyPlace, sealReplyPart } from './seal-reply.js';

/** What comes from the database at a time: 4 MB, so that the driver has no more of it that nobody has read. */
const PARTS_AT_ONCE = 16;

interface PartRow {
  part: number;
  content: string | null;
  sealed: string | null;
}

/**
 * Writes the parts of a long answer, each by a statement of its own: the driver copies what it sends, in one step.
 *
 * @param parts of which the memory is freed.
 * @param key encrypts them, if given.
 */
export async function writeParts(
  manager: EntityManager,
  place: ReplyPlace,
  parts: readonly Buffer[],
  key?: SecretKey,
): Promise<void> {
  for (const [part, content] of parts.entries()) {
    const sealed = key && sealReplyPart(content, { ...place, part }, key);
    await manager.query(
      'insert into idempotent_reply_part (token_id, key, part, content, sealed) values ($1, $2, $3, $4, $5)',
      [place.tokenId, place.key, part, sealed === undefined ? content : null, sealed ?? null],
    );
    freeBuffer(content);
  }
}

/**
 * The parts of a long answer, decrypted. They are those of the named call alone: the key may have been given to another one
 * meanwhile.
 *
 * @param place of the answer, with its call and how many parts it has.
 * @returns `undefined` where they are gone.
 * @throws SecretError when the key that encrypted them is gone.
 */
export async function readParts(
  database: DataSource,
  place: ReplyPlace & { readonly requestId: string; readonly count: number },
  { key, pause }: SealingSteps,
): Promise<readonly Buffer[] | undefined> {
  const parts: Buffer[] = [];
  while (parts.length < place.count) {
    // The driver would read bytes in hexadecimal, which is longer than base64 and takes it twice as long.
    const rows = await database.query<PartRow[]>(
      `select p.part, encode(p.content, 'base64') as content, p.sealed
         from idempotent_reply r join idempotent_reply_part p on p.token_id = r.token_id and p.key = r.key
        where r.token_id = $1 and r.key = $2 and r.request_id = $3 and p.part >= $4 and p.part < $4 + $5::int
        order by p.part`,
      [place.tokenId, place.key, place.requestId, parts.length, PARTS_AT_ONCE],
    );
    if (rows.length === 0) return undefined;
    for (const { part, content, sealed } of rows) {
      const bytes =
        content === null
          ? openReplyPart(sealed ?? '', { ...place, part }, key)
          : Buffer.from(content, 'base64');
      parts.push(bytes);
      await pause();
    }
  }
  return parts;
}
