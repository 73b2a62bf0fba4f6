import { setImmediate } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { nameUpstream, openLine, sealLineToBytes } from '../batches/batch-lines.js';
import { openBody, sealBody } from '../capture/captured-bodies.js';
import {
  openConversation,
  openItem,
  sealConversation,
  sealItem,
} from '../conversations/seal-conversation.js';
import { openObjectKey, sealObjectKey } from '../files/file-objects.js';
import { openPart, sealPart } from '../files/seal-part.js';
import { openReply, openReplyPart, sealReply, sealReplyPart } from '../idempotency/seal-reply.js';
import { openResponse, sealResponse } from '../responses/seal-response.js';
import { IF_SHORT, readParts } from './long-texts.js';
import type { SealingSteps } from './seal-in-steps.js';
import { prefixOf, SecretError, type SecretKey } from './seal-secret.js';

/** Rows in memory at a time: long ones are read one by one. */
const BATCH = 8;
/** Of a text: what it begins with has the random bytes that no other text was encrypted with. */
const HEAD_LENGTH = 64;

/** Values of the primary key of a row. */
type Position = readonly string[];

interface FoundRow {
  readonly position: Position;
  readonly head: string;
  /** `null` for a long text. */
  readonly sealed: string | null;
}

interface SealedRow {
  readonly position: Position;
  readonly sealed: Buffer;
}

/** A column of encrypted texts. */
interface SealedTable {
  readonly table: string;
  readonly column: string;
  /** Of the primary key. */
  readonly key: readonly KeyColumn[];
  reencrypt(row: SealedRow, steps: SealingSteps): Buffer | string | Promise<Buffer>;
}

interface KeyColumn {
  readonly name: string;
  readonly type: 'uuid' | 'text' | 'int';
}

/** What stands before every value of a primary key. */
const FIRST = { uuid: '00000000-0000-0000-0000-000000000000', text: '', int: '-1' } as const;

const uuid = (name: string): KeyColumn => ({ name, type: 'uuid' });
const text = (name: string): KeyColumn => ({ name, type: 'text' });
const int = (name: string): KeyColumn => ({ name, type: 'int' });

const CAPTURED_BODIES: SealedTable = {
  table: 'captured_body',
  column: 'sealed',
  key: [uuid('request_id'), text('part')],
  reencrypt({ position: [requestId = '', part], sealed }, { key }) {
    const place = { requestId, part: part === 'request' ? part : 'response' } as const;
    return sealBody(openBody(sealed.toString(), place, key), place, key);
  },
};

const STORED_RESPONSES: SealedTable = {
  table: 'stored_response',
  column: 'sealed',
  key: [uuid('wallet_id'), text('id')],
  async reencrypt({ position: [walletId = '', id = ''], sealed }, steps) {
    const place = { walletId, id };
    return sealResponse(await openResponse(sealed, place, steps), place, steps);
  },
};

const CONVERSATIONS: SealedTable = {
  table: 'conversation',
  column: 'sealed',
  key: [uuid('wallet_id'), text('id')],
  reencrypt: ({ position: [walletId = '', id = ''], sealed }, { key }) =>
    sealConversation(openConversation(sealed.toString(), { walletId, id }, key), { walletId, id }, key),
};

const CONVERSATION_ITEMS: SealedTable = {
  table: 'conversation_item',
  column: 'sealed',
  key: [text('conversation_id'), text('id')],
  async reencrypt({ position: [conversationId = '', itemId = ''], sealed }, steps) {
    const place = { conversationId, itemId };
    return sealItem(await openItem(sealed, place, steps), place, steps);
  },
};

const STORED_FILES: SealedTable = {
  table: 'stored_file_part',
  column: 'sealed',
  key: [uuid('wallet_id'), text('file_id'), int('part')],
  reencrypt({ position: [walletId = '', fileId = '', part], sealed }, { key }) {
    const place = { walletId, fileId, part: Number(part) };
    return sealPart(openPart(sealed.toString(), place, key), place, key);
  },
};

/** Of files in the result store: their objects are encrypted with keys of their own, and stay as they are. */
const FILE_KEYS: SealedTable = {
  table: 'stored_file',
  column: 'sealed_key',
  key: [uuid('wallet_id'), text('id')],
  reencrypt({ position: [walletId = '', fileId = ''], sealed }, { key }) {
    const owner = { walletId, fileId };
    return sealObjectKey(openObjectKey(sealed.toString(), owner, key), owner, key);
  },
};

const BATCH_LINES: SealedTable = {
  table: 'batch_line',
  column: 'sealed',
  key: [text('batch_id'), int('line')],
  async reencrypt({ position: [batchId = '', line], sealed }, steps) {
    const place = { batchId, line: Number(line) };
    return sealLineToBytes([await openLine(sealed, place, steps)], place, steps);
  },
};

/** What providers are sent for lines that they carry out: until they have it, it lies here, for a day at most. */
const UPSTREAM_LINES: SealedTable = {
  table: 'batch_line',
  column: 'upstream_sealed',
  key: [text('batch_id'), int('line')],
  async reencrypt({ position: [batchId = '', line], sealed }, steps) {
    const place = nameUpstream({ batchId, line: Number(line) });
    return sealLineToBytes([await openLine(sealed, place, steps)], place, steps);
  },
};

const REPLIES: SealedTable = {
  table: 'idempotent_reply',
  column: 'sealed',
  key: [uuid('token_id'), text('key')],
  async reencrypt({ position: [tokenId = '', key = ''], sealed }, steps) {
    const place = { tokenId, key };
    return sealReply(await openReply(sealed, place, steps), place, steps);
  },
};

const REPLY_PARTS: SealedTable = {
  table: 'idempotent_reply_part',
  column: 'sealed',
  key: [uuid('token_id'), text('key'), int('part')],
  reencrypt({ position: [tokenId = '', name = '', part], sealed }, { key }) {
    const place = { tokenId, key: name, part: Number(part) };
    return sealReplyPart(openReplyPart(sealed.toString(), place, key), place, key);
  },
};

const TABLES = [
  CAPTURED_BODIES,
  STORED_RESPONSES,
  CONVERSATIONS,
  CONVERSATION_ITEMS,
  STORED_FILES,
  FILE_KEYS,
  BATCH_LINES,
  UPSTREAM_LINES,
  REPLIES,
  REPLY_PARTS,
] as const;

/** Columns of tables that may be large, as `table.column`. */
export const BODY_COLUMNS = TABLES.map(({ table, column }) => `${table}.${column}`);

/**
 * Encrypts captured bodies, stored responses, conversations, files, lines of batches and the answers to them with the current key,
 * while a previous one is set: the tables are large, and without it there is nothing to be done. What cannot be decrypted stays
 * as it is.
 *
 * @returns how many were re-encrypted.
 */
export async function reencryptBodies(database: DataSource, key: SecretKey): Promise<number> {
  if (key.previous === undefined) return 0;
  let count = 0;
  for (const table of TABLES) {
    count += await reencryptTable(database, table, key);
  }
  return count;
}

async function reencryptTable(database: DataSource, table: SealedTable, key: SecretKey): Promise<number> {
  const steps = { key, pause: setImmediate };
  let count = 0;
  for (let after: Position = table.key.map(({ type }) => FIRST[type]); ;) {
    const rows = await findRows(database, table, { after, key });
    for (const row of rows) if (await reencryptRow(database, { table, row, steps })) count += 1;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return count;
    after = last.position;
  }
}

/** The next rows after one that another key encrypted. */
function findRows(
  database: DataSource,
  { table, column, key: columns }: SealedTable,
  { after, key }: { readonly after: Position; readonly key: SecretKey },
): Promise<FoundRow[]> {
  const names = columns.map(({ name }) => name).join(', ');
  const prefix = `$${columns.length + 1}`;
  return database.query<FoundRow[]>(
    `select array[${columns.map(({ name }) => `${name}::text`).join(', ')}] as position,
            left(${column}, ${HEAD_LENGTH}) as head, ${IF_SHORT(column)} as sealed
       from ${table}
      where (${names}) > (${listValues(columns).join(', ')}) and ${column} is not null
        and not starts_with(left(${column}, length(${prefix})), ${prefix})
      order by ${names} limit $${columns.length + 2}`,
    [...after, prefixOf(key), BATCH],
  );
}

async function reencryptRow(
  database: DataSource,
  { table, row, steps }: { table: SealedTable; row: FoundRow; steps: SealingSteps },
): Promise<boolean> {
  const { table: name, column, key } = table;
  const isRow = key.map((one, at) => `${one.name} = ${listValues(key)[at]}`).join(' and ');
  try {
    const sealed =
      row.sealed === null
        ? await readLong(database, `select '' as name, ${column} as sealed from ${name} where ${isRow}`, row)
        : Buffer.from(row.sealed);
    // It was deleted meanwhile.
    if (sealed === undefined) return false;
    const again = await table.reencrypt({ position: row.position, sealed }, steps);
    // By the old text too: the row may have been written anew meanwhile.
    await database.query(
      `update ${name} set ${column} = convert_from($${key.length + 2}::bytea, 'UTF8')
        where ${isRow} and left(${column}, ${HEAD_LENGTH}) = $${key.length + 1}`,
      [...row.position, row.head, typeof again === 'string' ? Buffer.from(again) : again],
    );
    return true;
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
}

async function readLong(
  database: DataSource,
  query: string,
  { position }: FoundRow,
): Promise<Buffer | undefined> {
  return (await readParts(database, query, position)).get('');
}

/** Parameters for the values of a primary key. */
function listValues(key: readonly KeyColumn[]): readonly string[] {
  return key.map(({ type }, at) => `$${at + 1}::${type}`);
}
