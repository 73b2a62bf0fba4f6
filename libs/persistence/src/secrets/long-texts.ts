import type { EntityManager } from 'typeorm';
import { PART_CHARACTERS } from './seal-in-steps.js';

/** The driver reads and writes a text in one step. Encrypted ones that are longer are written as bytes and read in parts. */
export const SHORT_BYTES = 256 * 1024;

/** What a query reads of an encrypted text: nothing of a long one, which {@link readParts} reads. */
export const IF_SHORT = (column: string): string =>
  `case when octet_length(${column}) <= ${SHORT_BYTES} then ${column} end`;

/** Parts that the driver gets at once. */
const PARTS = 4;

/** A part of a text, of the row that the query gives this name. */
interface TextPart {
  readonly name: string;
  /** Length of the whole text. */
  readonly length: number;
  /** Where the part begins, from 1 on. */
  readonly at: number;
  readonly part: string;
}

/**
 * Reads encrypted texts of any length, of which the driver gets no more than some parts at a time.
 *
 * @param query selects the `name` of each row and its `sealed` text.
 * @returns the bytes of the texts by the names of their rows.
 */
export function readParts(
  manager: Pick<EntityManager, 'transaction'>,
  query: string,
  values: readonly unknown[],
): Promise<ReadonlyMap<string, Buffer>> {
  const texts = new Map<string, Buffer>();
  return manager.transaction(async (transaction) => {
    // In one piece within the database, which would otherwise decompress a text anew for each part.
    await transaction.query(
      `declare text_parts no scroll cursor for
         with whole as materialized (select name, convert_to(sealed, 'UTF8') as bytes from (${query}) given)
         select name, octet_length(bytes) as length, at, convert_from(substr(bytes, at, ${PART_CHARACTERS}), 'UTF8') as part
           from whole, generate_series(1, octet_length(bytes), ${PART_CHARACTERS}) as at`,
      [...values],
    );
    for (let count = PARTS; count === PARTS;) {
      const rows = await transaction.query<TextPart[]>(`fetch ${PARTS} from text_parts`);
      for (const { name, length, at, part } of rows) {
        const text = texts.get(name) ?? Buffer.allocUnsafeSlow(length);
        text.write(part, at - 1, 'latin1');
        texts.set(name, text);
      }
      count = rows.length;
    }
    await transaction.query('close text_parts');
    return texts;
  });
}
