import { moveInSlices } from '@mg/contract';
import type { EntityManager } from 'typeorm';

/** The driver reads and writes a text in one step. Encrypted ones that are longer are written as bytes and read in parts. */
export const SHORT_BYTES = 256 * 1024;

/** What a query reads of an encrypted text: nothing of a long one, which {@link readParts} reads. */
export const IF_SHORT = (column: string): string =>
  `case when octet_length(${column}) <= ${SHORT_BYTES} then ${column} end`;

/** A part of a text, of the row that the query gives this name. */
interface TextPart {
  readonly name: string;
  readonly part: string;
}

/**
 * Reads encrypted texts of any length, of which the driver gets no more than a part at a time.
 *
 * @param query selects the `name` of each row and its `sealed` text.
 * @returns the bytes of the texts by the names of their rows.
 */
export async function readParts(
  manager: Pick<EntityManager, 'query'>,
  query: string,
  values: readonly unknown[],
  pause: () => Promise<void>,
): Promise<ReadonlyMap<string, Buffer>> {
  // In one piece within the database, which would otherwise decompress a text anew for each part.
  const rows = await manager.query<TextPart[]>(
    `with whole as materialized (select name, convert_to(sealed, 'UTF8') as bytes from (${query}) given)
     select name, convert_from(substr(bytes, at, ${SHORT_BYTES}), 'UTF8') as part
       from whole, generate_series(1, octet_length(bytes), ${SHORT_BYTES}) as at order by name, at`,
    [...values],
  );
  const pieces = new Map<string, Buffer[]>();
  let bytes = 0;
  for (const { name, part } of rows) {
    const known = pieces.get(name);
    const piece = Buffer.from(part, 'latin1');
    if (known) known.push(piece);
    else pieces.set(name, [piece]);
    bytes += piece.length;
    if (bytes < SHORT_BYTES) continue;
    bytes = 0;
    await pause();
  }
  const texts = new Map<string, Buffer>();
  for (const [name, parts] of pieces) texts.set(name, await moveInSlices(parts, pause));
  return texts;
}
