import { setImmediate } from 'node:timers/promises';
import { freeBuffer, moveInSlices, newId } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { type JsonCodec, PLAIN_JSON } from '../responses/json-codec.js';
import { WalletRoom } from '../responses/wallet-room.js';
import { deleteInBatches } from '../retention/delete-in-batches.js';
import { IF_SHORT, readParts } from '../secrets/long-texts.js';
import { SealingPace, type SealingSteps } from '../secrets/seal-in-steps.js';
import { SecretError, type SecretKey } from '../secrets/seal-secret.js';
import { insertItems, nameApart, type NewItem, type PreparedItems, type StoredItem } from './insert-items.js';
import { openConversation, openItem, sealConversation, sealItem } from './seal-conversation.js';

type Metadata = Readonly<Record<string, string>>;

export interface StoredConversation {
  readonly id: string;
  readonly metadata: Metadata;
  readonly createdAt: Date;
}

interface ItemPage {
  readonly items: readonly StoredItem[];
  readonly hasMore: boolean;
}

/** Why nothing of a conversation is read or added. */
export type NoConversation = 'missing' | 'too-long';

/** What a conversation may hold to be gone on from: what a request may. */
const MAX_CONVERSATION_BYTES = 4 * 1024 * 1024;
const MAX_CONVERSATION_ITEMS = 2_048;
/** What is kept of one wallet; beyond it the conversations go that were not used for the longest time. */
const MAX_WALLET_BYTES = 256 * 1024 * 1024;
/** What a row takes beside its text. */
const ROW_BYTES = 512;
/** What is read at once, as JSON; more is read in turns. */
const READ_AT_ONCE_BYTES = 256 * 1024;

interface StoredConversationsOptions {
  /** Waited for between two steps of encrypting, decrypting, writing and parsing. */
  readonly pause?: () => Promise<void>;
  readonly json?: JsonCodec;
  readonly maxWalletBytes?: number;
  /** Waited for before much is read: eight conversations of megabytes arrive in the same turns of the event loop. @returns what ends the turn. */
  readonly takeTurn?: () => Promise<() => void>;
}

interface ConversationRow {
  readonly id: string;
  readonly sealed: string;
  readonly created_at: Date;
}

interface SizeRow {
  readonly bytes: string;
  readonly item_count: number;
  readonly next_position: string;
}

interface ItemRow {
  readonly id: string;
  /** `null` for a long one, which is still to be read. */
  readonly sealed: string | null;
}

/**
 * Conversations, each readable with its wallet alone and encrypted at rest. What one call adds stands in one piece: calls that
 * go on with one conversation at the same time add to it in the order in which they end.
 */
export class StoredConversations {
  readonly #room: WalletRoom;
  readonly #steps: SealingSteps;
  readonly #json: JsonCodec;
  readonly #maxWalletBytes: number;
  readonly #takeTurn: () => Promise<() => void>;

  constructor(
    private readonly database: DataSource,
    private readonly key: SecretKey,
    {
      pause = setImmediate,
      json = PLAIN_JSON,
      maxWalletBytes = MAX_WALLET_BYTES,
      takeTurn = () => Promise.resolve(() => undefined),
    }: StoredConversationsOptions = {},
  ) {
    this.#takeTurn = takeTurn;
    this.#steps = { key, pause };
    this.#json = json;
    this.#maxWalletBytes = maxWalletBytes;
    this.#room = new WalletRoom(maxWalletBytes);
  }

  async create(walletId: string, metadata: Metadata, items: readonly NewItem[]): Promise<StoredConversation> {
    const id = `conv_${newId().replaceAll('-', '')}`;
    const sealed = sealConversation(JSON.stringify(metadata), { walletId, id }, this.key);
    const prepared = await this.#prepare(id, nameApart(items, []));
    const createdAt = await this.database.transaction(async (manager) => {
      const [row] = await manager.query<Pick<ConversationRow, 'created_at'>[]>(
        'insert into conversation (id, wallet_id, sealed) values ($1, $2, $3) returning created_at',
        [id, walletId, sealed],
      );
      await insertItems(manager, id, prepared, 0n);
      return row?.created_at ?? new Date();
    });
    await this.#trim(walletId, sealed.length + ROW_BYTES);
    return { id, metadata, createdAt };
  }

  async find(walletId: string, id: string): Promise<StoredConversation | undefined> {
    const rows = await this.database.query<ConversationRow[]>(
      'select id, sealed, created_at from conversation where wallet_id = $1 and id = $2',
      [walletId, id],
    );
    return this.#openFirst(walletId, rows);
  }

  /** @returns the conversation with its new metadata; `undefined` where there is none. */
  async update(walletId: string, id: string, metadata: Metadata): Promise<StoredConversation | undefined> {
    const sealed = sealConversation(JSON.stringify(metadata), { walletId, id }, this.key);
    const [rows] = await this.database.query<[ConversationRow[], number]>(
      `update conversation set sealed = $3, used_at = now() where wallet_id = $1 and id = $2
       returning id, sealed, created_at`,
      [walletId, id, sealed],
    );
    return this.#openFirst(walletId, rows);
  }

  /** @returns whether there was one. */
  async delete(walletId: string, id: string): Promise<boolean> {
    const [, deleted] = await this.database.query<[unknown[], number]>(
      'delete from conversation where wallet_id = $1 and id = $2',
      [walletId, id],
    );
    return deleted > 0;
  }

  /**
   * Adds items at the end, all in one piece.
   *
   * @param always adds what a finished call said although the conversation becomes longer than may be gone on from.
   * @returns the items, with the ids that they have got where theirs were taken.
   */
  async append(
    walletId: string,
    id: string,
    items: readonly NewItem[],
    { always = false } = {},
  ): Promise<readonly StoredItem[] | NoConversation> {
    const taken: string[] = [];
    for (;;) {
      // Not in the transaction: what takes several turns of the event loop would keep its connection and the row's lock.
      const prepared = await this.#prepare(id, nameApart(items, taken));
      const conflict = await this.#appendPrepared(walletId, id, prepared, always);
      if (conflict === 'missing' || conflict === 'too-long') return conflict;
      if (conflict === undefined) {
        await this.#trim(walletId, prepared.texts.length + ROW_BYTES * items.length);
        return prepared.items;
      }
      taken.push(...conflict);
    }
  }

  /** @returns why nothing was added, or the ids that are taken; `undefined` where all was added. */
  #appendPrepared(
    walletId: string,
    id: string,
    prepared: PreparedItems,
    always: boolean,
  ): Promise<NoConversation | readonly string[] | undefined> {
    return this.database.transaction(async (manager) => {
      const [row] = await manager.query<SizeRow[]>(
        'select bytes, item_count, next_position from conversation where wallet_id = $1 and id = $2 for update',
        [walletId, id],
      );
      if (!row) return 'missing';
      const { items, jsonBytes } = prepared;
      const size = { bytes: Number(row.bytes) + jsonBytes, items: row.item_count + items.length };
      if (!always && isTooLong(size)) return 'too-long';
      const taken = await manager.query<{ id: string }[]>(
        'select id from conversation_item where conversation_id = $1 and id = any($2::text[])',
        [id, items.map((item) => item.id)],
      );
      if (taken.length > 0) return taken.map((item) => item.id);
      await insertItems(manager, id, prepared, BigInt(row.next_position));
      return undefined;
    });
  }

  /** Every item, the first one first. */
  async readAll(walletId: string, id: string): Promise<readonly unknown[] | NoConversation> {
    const [row] = await this.database.query<SizeRow[]>(
      'select bytes, item_count, next_position from conversation where wallet_id = $1 and id = $2',
      [walletId, id],
    );
    if (!row) return 'missing';
    if (isTooLong({ bytes: Number(row.bytes), items: row.item_count })) return 'too-long';
    if (Number(row.bytes) <= READ_AT_ONCE_BYTES) return this.#readItems(id);
    const endTurn = await this.#takeTurn();
    try {
      return await this.#readItems(id);
    } finally {
      endTurn();
    }
  }

  async #readItems(id: string): Promise<readonly unknown[] | NoConversation> {
    const rows = await this.database.query<ItemRow[]>(
      `select id, ${IF_SHORT('sealed')} as sealed from conversation_item where conversation_id = $1 order by position limit $2`,
      [id, MAX_CONVERSATION_ITEMS],
    );
    const items = await this.#openItems(id, rows);
    return items.length === rows.length ? items.map(({ item }) => item) : 'missing';
  }

  /** @returns some items; `undefined` where the conversation, or the item to begin after, does not exist. */
  async list(
    walletId: string,
    id: string,
    {
      after,
      limit,
      order,
    }: { readonly after?: string; readonly limit: number; readonly order: 'asc' | 'desc' },
  ): Promise<ItemPage | undefined> {
    const [start] = await this.database.query<{ position: string | null }[]>(
      `select i.position from conversation c
         left join conversation_item i on i.conversation_id = c.id and i.id = $3
        where c.wallet_id = $1 and c.id = $2`,
      [walletId, id, after ?? null],
    );
    if (!start || (after !== undefined && start.position === null)) return undefined;
    const rows = await this.database.query<ItemRow[]>(
      order === 'asc'
        ? `select id, ${IF_SHORT('sealed')} as sealed from conversation_item where conversation_id = $1
              and ($2::bigint is null or position > $2::bigint) order by position limit $3`
        : `select id, ${IF_SHORT('sealed')} as sealed from conversation_item where conversation_id = $1
              and ($2::bigint is null or position < $2::bigint) order by position desc limit $3`,
      [id, start.position, limit + 1],
    );
    return { items: await this.#openItems(id, rows.slice(0, limit)), hasMore: rows.length > limit };
  }

  async findItem(walletId: string, id: string, itemId: string): Promise<StoredItem | undefined> {
    const rows = await this.database.query<ItemRow[]>(
      `select i.id, ${IF_SHORT('i.sealed')} as sealed from conversation c join conversation_item i on i.conversation_id = c.id
        where c.wallet_id = $1 and c.id = $2 and i.id = $3`,
      [walletId, id, itemId],
    );
    const [found] = await this.#openItems(id, rows);
    return found;
  }

  /** @returns whether there was one. */
  async deleteItem(walletId: string, id: string, itemId: string): Promise<boolean> {
    const [, deleted] = await this.database.query<[unknown[], number]>(
      `with gone as (
         delete from conversation_item i using conversation c
          where c.wallet_id = $1 and c.id = $2 and i.conversation_id = c.id and i.id = $3
          returning i.bytes
       ) update conversation set bytes = conversation.bytes - gone.bytes, item_count = item_count - 1, used_at = now()
           from gone where id = $2`,
      [walletId, id, itemId],
    );
    return deleted > 0;
  }

  /** Forgets those that were not used for so many days, in batches that keep nothing locked for long. */
  async expire(days: number): Promise<void> {
    await deleteInBatches(
      this.database,
      `delete from conversation where id in (
         select c.id from conversation c where c.used_at < now() - make_interval(hours => $1)
          order by c.used_at limit $2 for update skip locked)`,
      days * 24,
    );
  }

  async #prepare(conversationId: string, items: readonly NewItem[]): Promise<PreparedItems> {
    const texts: Buffer[] = [];
    let jsonBytes = 0;
    const pace = new SealingPace(this.#steps);
    for (const { id, item } of items) {
      const json = await this.#json.write(item);
      texts.push(await sealItem(json, { conversationId, itemId: id }, this.#steps));
      jsonBytes += json.length;
      await pace.next(json.length);
    }
    const lengths = texts.map(({ length }) => length);
    return { items, jsonBytes, lengths, texts: await moveInSlices(texts, this.#steps.pause) };
  }

  async #trim(walletId: string, addedBytes: number): Promise<void> {
    if (!this.#room.add(walletId, addedBytes)) return;
    await this.database.query(
      `delete from conversation where wallet_id = $1 and id in (
         select id from (
           select id, sum(bytes + $2::bigint * (item_count + 1)) over (order by used_at desc, id) as total
             from conversation where wallet_id = $1
         ) kept where total > $3)`,
      [walletId, ROW_BYTES, this.#maxWalletBytes],
    );
  }

  /** `undefined` for one that was encrypted with a key that is gone. */
  #openFirst(walletId: string, [row]: readonly ConversationRow[]): StoredConversation | undefined {
    if (!row) return undefined;
    try {
      const text = openConversation(row.sealed, { walletId, id: row.id }, this.key);
      return { id: row.id, metadata: JSON.parse(text) as Metadata, createdAt: row.created_at };
    } catch (error) {
      return ignoreLostKey(error);
    }
  }

  /** Without those that were encrypted with a key that is gone, or cannot be read. */
  async #openItems(conversationId: string, rows: readonly ItemRow[]): Promise<StoredItem[]> {
    const long = await this.#readLongItems(conversationId, rows);
    const items: StoredItem[] = [];
    const pace = new SealingPace(this.#steps);
    for (const { id, sealed: short } of rows) {
      const sealed = short ?? long.get(id);
      // It was deleted meanwhile.
      if (sealed === undefined) continue;
      await pace.next(sealed.length);
      const place = { conversationId, itemId: id };
      const text = await openItem(sealed, place, this.#steps).catch(ignoreLostKey);
      const item = text && (await this.#json.read(text));
      if (text) freeBuffer(text);
      if (item !== undefined) items.push({ id, item });
    }
    return items;
  }

  async #readLongItems(
    conversationId: string,
    rows: readonly ItemRow[],
  ): Promise<ReadonlyMap<string, Buffer>> {
    const long = rows.filter(({ sealed }) => sealed === null).map(({ id }) => id);
    if (long.length === 0) return new Map();
    return readParts(
      this.database,
      'select id as name, sealed from conversation_item where conversation_id = $1 and id = any($2)',
      [conversationId, long],
    );
  }
}

/** @throws what is no SecretError. */
function ignoreLostKey(error: unknown): undefined {
  if (error instanceof SecretError) return undefined;
  throw error;
}

function isTooLong({ bytes, items }: { readonly bytes: number; readonly items: number }): boolean {
  return bytes > MAX_CONVERSATION_BYTES || items > MAX_CONVERSATION_ITEMS;
}
