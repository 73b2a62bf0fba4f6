import { Readable } from 'node:stream';
import { formatUsd } from '@mg/contract';
import type { Page, PageRequest } from '@mg/persistence/console';
import { limitStall } from '@mg/runtime';
import type { FastifyReply } from 'fastify';

/** Read, explained and written in some milliseconds. */
const ROWS_AT_ONCE = 100;

/** A bigint is a sum in nano-dollars and becomes USD with every digit. */
type Cell = string | number | bigint | boolean | null;

/** Columns of a file by their names, in their order. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

export function writeCsvHeader(columns: CsvColumns<never>): string {
  return toLine(Object.keys(columns));
}

/** A row as one line of CSV (RFC 4180). */
export function writeCsvLine<Row>(columns: CsvColumns<Row>, row: Row): string {
  return toLine(Object.values(columns).map((read) => read(row)));
}

/**
 * Answers with rows as a file of CSV. They are read page by page as fast as the client takes them, so that any number of rows
 * needs the memory of one page.
 */
export async function sendCsv<Row>(
  reply: FastifyReply,
  { name, columns }: { readonly name: string; readonly columns: CsvColumns<Row> },
  readPage: (page: PageRequest) => Promise<Page<Row>>,
): Promise<void> {
  limitStall(reply);
  await reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    })
    .send(Readable.from(readLines(columns, readPage)));
}

async function* readLines<Row>(
  columns: CsvColumns<Row>,
  readPage: (page: PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<string> {
  yield writeCsvHeader(columns);
  let after: string | undefined;
  do {
    const page = await readPage({ limit: ROWS_AT_ONCE, after });
    if (page.rows.length > 0) yield page.rows.map((row) => writeCsvLine(columns, row)).join('');
    after = page.next;
  } while (after !== undefined);
}

function toLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** Spreadsheets run what begins like a formula; an apostrophe before it keeps it text. */
function toCell(value: Cell): string {
  if (typeof value === 'bigint') return formatUsd(value);
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const harmless = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
