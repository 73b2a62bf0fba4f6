import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** What COPY's text format writes for null. */
export const NULL = '\\N';

const CHUNK_CHARACTERS = 128 * 1024;

export interface CopiedRows {
  /** A table, or one of its partitions. */
  readonly table: string;
  readonly columns: string;
  /** Rows in COPY's text format without their ends; no value holds a character that this format escapes. */
  readonly rows: Iterable<string>;
  /** Writes rows that vacuum need not look at; the table must have been emptied in the same transaction. */
  readonly isFrozen?: boolean;
}

/** Copies rows into a table while they are made: one chunk of them is in memory at a time. */
export async function copyRows(client: Client, copied: CopiedRows): Promise<void> {
  const options = copied.isFrozen === true ? 'with (freeze)' : '';
  const target = client.query(copyFrom(`copy ${copied.table} (${copied.columns}) from stdin ${options}`));
  await pipeline(Readable.from(joinRows(copied.rows)), target);
}

function* joinRows(rows: Iterable<string>): Iterable<Buffer> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${row}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}
