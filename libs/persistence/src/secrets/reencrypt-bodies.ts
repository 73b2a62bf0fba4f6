import { setImmediate } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { nameUpstream, openLine, sealLine } from '../batches/batch-lines.js';
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
import { prefixOf, SecretError, type SecretKey } from './seal-secret.js';

/** Rows in memory at a time, each of up to a few megabytes. */
const BATCH = 8;

/** What a batch of rows is read with: rows after these values of the primary key that another key encrypted. */
type Position = readonly string[];

interface SealedRow {
  readonly position: Position;
  readonly sealed: string;
}

/** A column of encrypted texts, as `table.column`, and how its rows are found by the primary key. */
interface SealedTable {
  readonly column: string;
  /** Before the first row: a value for each column of the primary key. */
  readonly first: Position;
  /** The parameters are the position, what texts of the current key begin with, and how many rows. */
  readonly select: string;
  /** The parameters are the position, the text that was read, and the new one. */
  readonly update: string;
  reencrypt(row: SealedRow, key: SecretKey): string | Promise<string>;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const CAPTURED_BODIES: SealedTable = {
  column: 'captured_body.sealed',
  first: [FIRST_ID, ''],
  select: `select array[request_id::text, part] as position, sealed from captured_body
    where (request_id, part) > ($1::uuid, $2) and not starts_with(left(sealed, length($3)), $3)
    order by request_id, part limit $4`,
  update: 'update captured_body set sealed = $4 where request_id = $1::uuid and part = $2 and sealed = $3',
  reencrypt({ position: [requestId = '', part], sealed }, key) {
    const place = { requestId, part: part === 'request' ? part : 'response' } as const;
    return sealBody(openBody(sealed, place, key), place, key);
  },
};

const STORED_RESPONSES: SealedTable = {
  column: 'stored_response.sealed',
  first: [FIRST_ID, ''],
  select: `select array[wallet_id::text, id] as position, sealed from stored_response
    where (wallet_id, id) > ($1::uuid, $2) and not starts_with(left(sealed, length($3)), $3)
    order by wallet_id, id limit $4`,
  update: 'update stored_response set sealed = $4 where wallet_id = $1::uuid and id = $2 and sealed = $3',
  async reencrypt({ position: [walletId = '', id = ''], sealed }, key) {
    const place = { walletId, id };
    const steps = { key, pause: setImmediate };
    return sealResponse(await openResponse(sealed, place, steps), place, steps);
  },
};

const CONVERSATIONS: SealedTable = {
  column: 'conversation.sealed',
  first: [FIRST_ID, ''],
  select: `select array[wallet_id::text, id] as position, sealed from conversation
    where (wallet_id, id) > ($1::uuid, $2) and not starts_with(left(sealed, length($3)), $3)
    order by wallet_id, id limit $4`,
  update: 'update conversation set sealed = $4 where wallet_id = $1::uuid and id = $2 and sealed = $3',
  reencrypt: ({ position: [walletId = '', id = ''], sealed }, key) =>
    sealConversation(openConversation(sealed, { walletId, id }, key), { walletId, id }, key),
};

const CONVERSATION_ITEMS: SealedTable = {
  column: 'conversation_item.sealed',
  first: ['', ''],
  select: `select array[conversation_id, id] as position, sealed from conversation_item
    where (conversation_id, id) > ($1, $2) and not starts_with(left(sealed, length($3)), $3)
    order by conversation_id, id limit $4`,
  update: 'update conversation_item set sealed = $4 where conversation_id = $1 and id = $2 and sealed = $3',
  async reencrypt({ position: [conversationId = '', itemId = ''], sealed }, key) {
    const place = { conversationId, itemId };
    const steps = { key, pause: setImmediate };
    return sealItem(await openItem(sealed, place, steps), place, steps);
  },
};

const STORED_FILES: SealedTable = {
  column: 'stored_file_part.sealed',
  first: [FIRST_ID, '', '-1'],
  select: `select array[wallet_id::text, file_id, part::text] as position, sealed from stored_file_part
    where (wallet_id, file_id, part) > ($1::uuid, $2, $3::int) and not starts_with(left(sealed, length($4)), $4)
    order by wallet_id, file_id, part limit $5`,
  update: `update stored_file_part set sealed = $5
    where wallet_id = $1::uuid and file_id = $2 and part = $3::int and sealed = $4`,
  reencrypt({ position: [walletId = '', fileId = '', part], sealed }, key) {
    const place = { walletId, fileId, part: Number(part) };
    return sealPart(openPart(sealed, place, key), place, key);
  },
};

/** Of files in the result store: their objects are encrypted with keys of their own, and stay as they are. */
const FILE_KEYS: SealedTable = {
  column: 'stored_file.sealed_key',
  first: [FIRST_ID, ''],
  select: `select array[wallet_id::text, id] as position, sealed_key as sealed from stored_file
    where (wallet_id, id) > ($1::uuid, $2) and sealed_key is not null
      and not starts_with(left(sealed_key, length($3)), $3)
    order by wallet_id, id limit $4`,
  update: 'update stored_file set sealed_key = $4 where wallet_id = $1::uuid and id = $2 and sealed_key = $3',
  reencrypt({ position: [walletId = '', fileId = ''], sealed }, key) {
    const owner = { walletId, fileId };
    return sealObjectKey(openObjectKey(sealed, owner, key), owner, key);
  },
};

const BATCH_LINES: SealedTable = {
  column: 'batch_line.sealed',
  first: ['', '0'],
  select: `select array[batch_id, line::text] as position, sealed from batch_line
    where (batch_id, line) > ($1, $2::int) and not starts_with(left(sealed, length($3)), $3)
    order by batch_id, line limit $4`,
  update: 'update batch_line set sealed = $4 where batch_id = $1 and line = $2::int and sealed = $3',
  async reencrypt({ position: [batchId = '', line], sealed }, key) {
    const place = { batchId, line: Number(line) };
    const steps = { key, pause: setImmediate };
    return sealLine([await openLine(sealed, place, steps)], place, steps);
  },
};

/** What providers are sent for lines that they carry out: until they have it, it lies here, for a day at most. */
const UPSTREAM_LINES: SealedTable = {
  column: 'batch_line.upstream_sealed',
  first: ['', '0'],
  select: `select array[batch_id, line::text] as position, upstream_sealed as sealed from batch_line
    where (batch_id, line) > ($1, $2::int) and upstream_sealed is not null
      and not starts_with(left(upstream_sealed, length($3)), $3)
    order by batch_id, line limit $4`,
  update: `update batch_line set upstream_sealed = $4
    where batch_id = $1 and line = $2::int and upstream_sealed = $3`,
  async reencrypt({ position: [batchId = '', line], sealed }, key) {
    const place = nameUpstream({ batchId, line: Number(line) });
    const steps = { key, pause: setImmediate };
    return sealLine([await openLine(sealed, place, steps)], place, steps);
  },
};

const REPLIES: SealedTable = {
  column: 'idempotent_reply.sealed',
  first: [FIRST_ID, ''],
  select: `select array[token_id::text, key] as position, sealed from idempotent_reply
    where (token_id, key) > ($1::uuid, $2) and sealed is not null and not starts_with(left(sealed, length($3)), $3)
    order by token_id, key limit $4`,
  update: 'update idempotent_reply set sealed = $4 where token_id = $1::uuid and key = $2 and sealed = $3',
  async reencrypt({ position: [tokenId = '', id = ''], sealed }, key) {
    const place = { tokenId, key: id };
    const steps = { key, pause: setImmediate };
    return sealReply(await openReply(sealed, place, steps), place, steps);
  },
};

const REPLY_PARTS: SealedTable = {
  column: 'idempotent_reply_part.sealed',
  first: [FIRST_ID, '', '-1'],
  select: `select array[token_id::text, key, part::text] as position, sealed from idempotent_reply_part
    where (token_id, key, part) > ($1::uuid, $2, $3::int) and sealed is not null
      and not starts_with(left(sealed, length($4)), $4)
    order by token_id, key, part limit $5`,
  update: `update idempotent_reply_part set sealed = $5
    where token_id = $1::uuid and key = $2 and part = $3::int and sealed = $4`,
  reencrypt({ position: [tokenId = '', id = '', part], sealed }, key) {
    const place = { tokenId, key: id, part: Number(part) };
    return sealReplyPart(openReplyPart(sealed, place, key), place, key);
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
export const BODY_COLUMNS = TABLES.map(({ column }) => column);

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
  let count = 0;
  for (let after = table.first; ;) {
    const rows = await database.query<SealedRow[]>(table.select, [...after, prefixOf(key), BATCH]);
    for (const row of rows) if (await reencryptRow(database, { table, row, key })) count += 1;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return count;
    after = last.position;
  }
}

async function reencryptRow(
  database: DataSource,
  { table, row, key }: { table: SealedTable; row: SealedRow; key: SecretKey },
): Promise<boolean> {
  try {
    const sealed = await table.reencrypt(row, key);
    // By the old text too: the row may have been written anew meanwhile.
    await database.query(table.update, [...row.position, row.sealed, sealed]);
    return true;
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
}
