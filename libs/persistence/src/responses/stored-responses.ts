import { setImmediate } from 'node:timers/promises';
import { freeBuffer } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { deleteInBatches } from '../retention/delete-in-batches.js';
import { readParts } from '../secrets/long-texts.js';
import type { SealingSteps } from '../secrets/seal-in-steps.js';
import { SecretError, type SecretKey } from '../secrets/seal-secret.js';
import { type JsonCodec, PLAIN_JSON } from './json-codec.js';
import { openResponse, sealResponse } from './seal-response.js';
import { WalletRoom } from './wallet-room.js';

/** A response and what was asked, as JSON values. */
export interface StoredTurn {
  readonly input: readonly unknown[];
  /** The response object as its client got it. */
  readonly response: unknown;
  /** Who keeps the response upstream, with all that it goes on from. */
  readonly heldBy?: ResponseHolder | undefined;
}

/** The channel and key whose upstream keeps a response by the same id. */
export interface ResponseHolder {
  readonly channelId: string;
  /** SHA-256 of the key. */
  readonly keyHash: string;
}

export interface NewResponse extends StoredTurn {
  readonly id: string;
  /** The response that it goes on from. */
  readonly previousId: string | undefined;
  /** Ids of the items in its input and its answer. */
  readonly itemIds: readonly string[];
}

/** The turns of a conversation, the first one first; or why there are none. */
export type Conversation = readonly StoredTurn[] | 'missing' | 'too-long';

/** Turns of a conversation that are read at most, and their bytes together: what a request may hold. */
const MAX_TURNS = 512;
const MAX_CONVERSATION_BYTES = 6 * 1024 * 1024;
/** Longer ones are not kept: input and answer as JSON, such as photographs that a model is to look at. */
const MAX_RESPONSE_BYTES = 5 * 1024 * 1024;
/** What is kept of one wallet; beyond it the oldest go. */
const MAX_WALLET_BYTES = 256 * 1024 * 1024;
/** What a row takes beside its text. */
const ROW_BYTES = 512;
/** What is read at once, as stored; more is read in turns. */
const READ_AT_ONCE_BYTES = 512 * 1024;
interface StoredResponsesOptions {
  /** Waited for between two steps of encrypting, decrypting, writing and parsing. */
  readonly pause?: () => Promise<void>;
  readonly json?: JsonCodec;
  readonly maxWalletBytes?: number;
  /** Waited for before much is read: eight conversations of megabytes arrive in the same turns of the event loop. @returns what ends the turn. */
  readonly takeTurn?: () => Promise<() => void>;
}

interface TurnRow {
  readonly id: string;
  readonly previous_id: string | null;
  /** `null` where it is still to be read. */
  readonly sealed: string | null;
  readonly channel_id: string | null;
  readonly key_hash: string | null;
  readonly turn: number;
  readonly total: string;
}

/** What is read of a turn wherever it is read. */
type SealedRow = Pick<TurnRow, 'id' | 'sealed'> & Partial<HolderRow>;
type ReadRow = Omit<SealedRow, 'sealed'> & { readonly sealed: string | Buffer | null };
type HolderRow = Pick<TurnRow, 'channel_id' | 'key_hash'>;

/**
 * Responses of past calls, each readable with its wallet alone and encrypted at rest. How much one wallet has of them is
 * limited: the oldest go first.
 */
export class StoredResponses {
  readonly #room: WalletRoom;
  readonly #steps: SealingSteps;
  readonly #json: JsonCodec;
  readonly #maxWalletBytes: number;
  readonly #takeTurn: () => Promise<() => void>;

  constructor(
    private readonly database: DataSource,
    key: SecretKey,
    {
      pause = setImmediate,
      json = PLAIN_JSON,
      maxWalletBytes = MAX_WALLET_BYTES,
      takeTurn = () => Promise.resolve(() => undefined),
    }: StoredResponsesOptions = {},
  ) {
    this.#takeTurn = takeTurn;
    this.#steps = { key, pause };
    this.#json = json;
    this.#maxWalletBytes = maxWalletBytes;
    this.#room = new WalletRoom(maxWalletBytes);
  }

  /** @returns whether it was kept: it is not where it is too long. */
  async keep(
    walletId: string,
    { id, previousId, itemIds, input, response, heldBy }: NewResponse,
  ): Promise<boolean> {
    const text = await this.#json.write({ input, response });
    if (text.length > MAX_RESPONSE_BYTES) return false;
    const sealed = await sealResponse(text, { walletId, id }, this.#steps);
    await this.database.query(
      `insert into stored_response (wallet_id, id, previous_id, item_ids, bytes, sealed, channel_id, key_hash)
       values ($1, $2, $3, $4, $5, convert_from($6::bytea, 'UTF8'), $7, $8)
       on conflict (wallet_id, id) do update set previous_id = excluded.previous_id, item_ids = excluded.item_ids,
              bytes = excluded.bytes, sealed = excluded.sealed, channel_id = excluded.channel_id,
              key_hash = excluded.key_hash, created_at = now()`,
      [
        walletId,
        id,
        previousId ?? null,
        itemIds,
        sealed.length,
        sealed,
        heldBy?.channelId ?? null,
        heldBy?.keyHash ?? null,
      ],
    );
    await this.#trim(walletId, sealed.length + ROW_BYTES);
    return true;
  }

  async find(walletId: string, id: string): Promise<StoredTurn | undefined> {
    const [row] = await this.database.query<Pick<TurnRow, 'sealed'>[]>(
      `select case when bytes <= $3 then sealed end as sealed
         from stored_response where wallet_id = $1 and id = $2`,
      [walletId, id, READ_AT_ONCE_BYTES],
    );
    const [found] = await this.#openAll(walletId, row ? [{ ...row, id }] : []);
    return found;
  }

  /** A response and all that it goes on from. */
  async findConversation(walletId: string, id: string): Promise<Conversation> {
    const rows = await this.database.query<TurnRow[]>(
      `with recursive conversation as (
         select r.id, r.previous_id, r.channel_id, r.key_hash, 1 as turn, r.bytes::bigint as total
           from stored_response r where r.wallet_id = $1 and r.id = $2
         union all
         select p.id, p.previous_id, p.channel_id, p.key_hash, c.turn + 1, c.total + p.bytes
           from conversation c join stored_response p on p.wallet_id = $1 and p.id = c.previous_id
          where c.turn < $3 and c.total <= $4
       ) select c.*, case when max(c.total) over () <= $5 then r.sealed end as sealed
           from conversation c join stored_response r on r.wallet_id = $1 and r.id = c.id order by c.turn desc`,
      [walletId, id, MAX_TURNS, MAX_CONVERSATION_BYTES, READ_AT_ONCE_BYTES],
    );
    const [first] = rows;
    if (!first) return 'missing';
    if (Number(first.total) > MAX_CONVERSATION_BYTES || first.turn >= MAX_TURNS) return 'too-long';
    if (first.previous_id !== null) return 'missing';
    const turns = await this.#openAll(walletId, rows);
    return turns.length === rows.length ? turns : 'missing';
  }

  /** The turns that hold any of these items, the latest first. */
  async findByItems(walletId: string, itemIds: readonly string[]): Promise<StoredTurn[]> {
    const rows = await this.database.query<TurnRow[]>(
      `select id, case when max(total) over () <= $4 then sealed end as sealed from (
         select id, sealed, created_at, sum(bytes) over (order by created_at desc, id) as total
           from stored_response where wallet_id = $1 and item_ids && $2::text[]
       ) found where total <= $3 order by created_at desc, id`,
      [walletId, itemIds, MAX_CONVERSATION_BYTES, READ_AT_ONCE_BYTES],
    );
    return this.#openAll(walletId, rows);
  }

  /** @returns who keeps it upstream; `undefined` where there was none. */
  async delete(
    walletId: string,
    id: string,
  ): Promise<{ readonly heldBy: ResponseHolder | undefined } | undefined> {
    const [[row]] = await this.database.query<[HolderRow[], number]>(
      'delete from stored_response where wallet_id = $1 and id = $2 returning channel_id, key_hash',
      [walletId, id],
    );
    return row && { heldBy: readHolder(row) };
  }

  /** Forgets those that are older than so many days, in batches that keep nothing locked for long. */
  async expire(days: number): Promise<void> {
    await deleteInBatches(
      this.database,
      `delete from stored_response where (wallet_id, id) in (
         select r.wallet_id, r.id from stored_response r
          where r.created_at < now() - make_interval(hours => $1)
          order by r.created_at limit $2 for update skip locked)`,
      days * 24,
    );
  }

  async #trim(walletId: string, addedBytes: number): Promise<void> {
    if (!this.#room.add(walletId, addedBytes)) return;
    await this.database.query(
      `delete from stored_response where wallet_id = $1 and id in (
         select id from (
           select id, sum(bytes + $2::bigint) over (order by created_at desc, id) as total
             from stored_response where wallet_id = $1
         ) kept where total > $3)`,
      [walletId, ROW_BYTES, this.#maxWalletBytes],
    );
  }

  /** Without those that were encrypted with a key that is gone, or cannot be read. */
  async #openAll(walletId: string, rows: readonly SealedRow[]): Promise<StoredTurn[]> {
    if (rows.every(({ sealed }) => sealed !== null)) return this.#openRead(walletId, rows);
    const endTurn = await this.#takeTurn();
    try {
      const sealed = await readParts(
        this.database,
        'select id as name, sealed from stored_response where wallet_id = $1 and id = any($2)',
        [walletId, rows.map(({ id }) => id)],
      );
      return await this.#openRead(
        walletId,
        rows.map((row) => ({ ...row, sealed: sealed.get(row.id) ?? null })),
      );
    } finally {
      endTurn();
    }
  }

  async #openRead(walletId: string, rows: readonly ReadRow[]): Promise<StoredTurn[]> {
    const turns: StoredTurn[] = [];
    for (const row of rows) {
      const { id, sealed } = row;
      await this.#steps.pause();
      const text = sealed === null ? undefined : await this.#open(walletId, id, sealed);
      const turn = text && ((await this.#json.read(text)) as StoredTurn | undefined);
      if (text) freeBuffer(text);
      if (turn) turns.push({ ...turn, heldBy: readHolder(row) });
    }
    return turns;
  }

  /** `undefined` for what was encrypted with a key that is gone. */
  async #open(walletId: string, id: string, sealed: string | Buffer): Promise<Buffer | undefined> {
    try {
      return await openResponse(sealed, { walletId, id }, this.#steps);
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  }
}

function readHolder({
  channel_id: channelId,
  key_hash: keyHash,
}: Partial<HolderRow>): ResponseHolder | undefined {
  return channelId && keyHash ? { channelId, keyHash } : undefined;
}
