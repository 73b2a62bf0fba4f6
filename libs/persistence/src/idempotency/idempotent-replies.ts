import { setImmediate } from 'node:timers/promises';
import { GatewayError, type HoldOwner, moveInSlices } from '@mg/contract';
import type { DataSource, EntityManager } from 'typeorm';
import { deleteInBatches } from '../retention/delete-in-batches.js';
import type { SealingSteps } from '../secrets/seal-in-steps.js';
import { SecretError, type SecretKey } from '../secrets/seal-secret.js';
import { compressReply, decompressReply } from './compress-reply.js';
import { readContent } from './reply-content.js';
import { readParts, writeParts } from './reply-parts.js';
import { openReply, sealReply } from './seal-reply.js';

/** A billed POST that carries an Idempotency-Key. */
export interface IdempotentCall {
  readonly tokenId: string;
  readonly key: string;
  /** SHA-256 over endpoint and body: the same key with another one is a conflict. */
  readonly fingerprint: string;
  readonly requestId: string;
  readonly owner: HoldOwner;
  /** Whether its answer is encrypted at rest: that of a line of a batch, which is encrypted wherever else it is kept. */
  readonly isSealed: boolean;
}

/** An answer as it was sent, stored for repeated requests. */
export interface StoredReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type IdempotentClaim =
  /** Ours to run. After a crash of the first runner its request id goes on, so that the charge stays one. */
  | { readonly state: 'run'; readonly requestId: string }
  | { readonly state: 'running' }
  | { readonly state: 'conflict' }
  | { readonly state: 'done'; readonly reply: StoredReply };

/**
 * How an answer is kept: as it was sent, encrypted, or since it is long in parts, compressed and maybe encrypted. Versions before
 * migration 0085 kept long ones compressed in the row.
 */
type ReplyForm = 'body' | 'sealed' | 'parts' | 'compressed';
/** Answers from this size on are kept in parts. */
const LONG_BYTES = 1024 * 1024;
/** Old answers in parts that are deleted at a time, each of which may have over a hundred. */
const IN_PARTS_AT_ONCE = 4;

interface ReplyRow {
  fingerprint: string;
  request_id: string;
  status: number | null;
  headers: Record<string, string> | null;
  form: ReplyForm;
  parts: number | null;
  owner_instance: string;
  owner_epoch: string;
  owner_dead: boolean;
  /** Usage of the call waits in the journal to be charged. */
  is_charge_pending: boolean;
  of_other_wallet: boolean;
}

/** What is announced at the end of a call with an Idempotency-Key, with {@link nameReply}. */
export const REPLY_CHANNEL = 'reply_ended';

/** In the place of a process's epoch: no process has the call, and the next request goes on with it. */
const NO_EPOCH = '';

/** How long work leaves room for others. */
export interface ReplyTurns {
  /** Is waited for between two steps. */
  readonly pause: () => Promise<void>;
  /** Waits until no other long answer is read. @returns what ends the turn. */
  readonly takeTurn: () => Promise<() => void>;
}

/** Answers to calls with an Idempotency-Key: one request runs, every other one gets the same answer. */
export class IdempotentReplies {
  /** Keys that a call of this process claims or runs; nobody else here may. */
  readonly #held = new Set<string>();
  readonly #steps: SealingSteps;
  readonly #takeTurn: ReplyTurns['takeTurn'];
  /** By name, writes of calls that gave up their key and that failed: few, as no call begins before they succeed. */
  readonly #pendingWrites = new Map<string, () => Promise<unknown>>();

  constructor(
    private readonly database: DataSource,
    key: SecretKey,
    { pause = setImmediate, takeTurn = () => Promise.resolve(() => undefined) }: Partial<ReplyTurns> = {},
  ) {
    this.#steps = { key, pause };
    this.#takeTurn = takeTurn;
  }

  /** Claims a key for this call, or answers the state of the call that has it. */
  async claim(call: IdempotentCall): Promise<IdempotentClaim> {
    await this.#retryPendingWrites();
    const name = nameReply(call);
    if (this.#held.has(name)) return this.#readState(call, false);
    this.#held.add(name);
    let claimed: IdempotentClaim | undefined;
    try {
      claimed = (await this.#insert(call)) ?? (await this.#readState(call, true));
      return claimed;
    } finally {
      if (claimed?.state !== 'run') this.#held.delete(name);
    }
  }

  async #insert(call: IdempotentCall): Promise<IdempotentClaim | undefined> {
    const inserted = await this.database.query<unknown[]>(
      `insert into idempotent_reply (token_id, key, fingerprint, request_id, owner_instance, owner_epoch)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning 1 as claimed`,
      [call.tokenId, call.key, call.fingerprint, call.requestId, call.owner.instance, call.owner.epoch],
    );
    return inserted.length > 0 ? { state: 'run', requestId: call.requestId } : undefined;
  }

  async #readState(call: IdempotentCall, mayRun: boolean): Promise<IdempotentClaim> {
    const [row] = await this.database.query<ReplyRow[]>(
      `select r.fingerprint, r.request_id, r.status, r.headers,
              case when r.parts is not null then 'parts' when r.sealed is not null then 'sealed'
                   when r.compressed is not null then 'compressed' else 'body' end as form,
              r.parts,
              r.owner_instance, r.owner_epoch,
              r.owner_epoch = '${NO_EPOCH}'
                or coalesce(p.epoch <> r.owner_epoch or p.ended_at is not null, r.created_at < now() - interval '60 seconds')
                as owner_dead,
              exists (select from usage_journal j
                       where j.request_id = r.request_id and j.phase = 'usage' and j.posted_at is null) as is_charge_pending,
              exists (select from request_log l join token t on t.id = r.token_id
                       where l.request_id = r.request_id and l.wallet_id <> t.wallet_id) as of_other_wallet
         from idempotent_reply r left join plane_instance p on p.instance = r.owner_instance
        where r.token_id = $1 and r.key = $2`,
      [call.tokenId, call.key],
    );
    if (!row) return { state: 'running' };
    // What was answered on the wallet that the token paid from before is that wallet's.
    if (row.fingerprint !== call.fingerprint || row.of_other_wallet) return { state: 'conflict' };
    if (row.status !== null && row.headers !== null) {
      const body = await this.#readBody(call, row);
      // Otherwise its time is over since the row was read: whoever asks again makes a call of it.
      return body
        ? { state: 'done', reply: { status: row.status, headers: row.headers, body } }
        : { state: 'running' };
    }
    // A row of this process that nobody here runs: the database was lost while it was claimed or given up.
    const isAbandoned =
      row.owner_dead || (row.owner_instance === call.owner.instance && row.owner_epoch === call.owner.epoch);
    // Whether a call that is taken over has been charged is to be certain when it fails: see release and forget.
    const mayTakeOver = mayRun && isAbandoned && !row.is_charge_pending;
    return mayTakeOver ? this.#takeOver(call, row) : { state: 'running' };
  }

  /** Keeps the answer of a call that ran, unless its key was given to another process meanwhile. */
  async complete(call: IdempotentCall, reply: StoredReply): Promise<void> {
    try {
      await this.#keep(call, reply);
    } finally {
      // The call is over, also when the database cannot be written: the next request may run it.
      this.#held.delete(nameReply(call));
    }
  }

  async #keep(call: IdempotentCall, reply: StoredReply): Promise<unknown> {
    if (reply.body.length >= LONG_BYTES) return this.#keepInParts(call, reply);
    const { manager } = this.database;
    if (!call.isSealed) return keepReply(manager, call, reply, { body: reply.body });
    return keepReply(manager, call, reply, { sealed: await sealReply(reply.body, call, this.#steps) });
  }

  /** The row first, which tells whether the call still has its key; nobody sees it before all parts are there. */
  async #keepInParts(call: IdempotentCall, reply: StoredReply): Promise<void> {
    const content = await compressReply(reply.body);
    await this.database.transaction(async (manager) => {
      if (!(await keepReply(manager, call, reply, { parts: content.length }))) return;
      await writeParts(manager, call, content, call.isSealed ? this.#steps.key : undefined);
    });
  }

  /**
   * Forgets a call that was not executed, so that the key may be tried again, as another call, unless another process runs it
   * meanwhile. A write that fails is repeated before the next claim of any key.
   */
  forget(call: IdempotentCall): Promise<void> {
    return this.#giveUp(call, () =>
      this.database.query(
        `delete from idempotent_reply
          where token_id = $1 and key = $2 and status is null
            and owner_instance = $3 and owner_epoch = $4 and request_id = $5
          returning pg_notify('${REPLY_CHANNEL}', token_id::text || ' ' || key)`,
        [call.tokenId, call.key, call.owner.instance, call.owner.epoch, call.requestId],
      ),
    );
  }

  /**
   * Whether a call that was taken over had been charged by the process that was lost. Certain, since a call is not taken over
   * while usage of it waits to be charged, and a restarted process writes the usage in its spool before its first heartbeat.
   */
  async isCharged(requestId: string): Promise<boolean> {
    const rows = await this.database.query<object[]>(
      'select 1 from entry where request_id = $1 and wallet_id is not null and amount <> 0 limit 1',
      [requestId],
    );
    return rows.length > 0;
  }

  /**
   * Leaves a call that was taken over, and failed, to the next request, as the same call: it has been charged, and another call
   * would be charged once more.
   */
  release(call: IdempotentCall): Promise<void> {
    return this.#giveUp(call, () =>
      this.database.query(
        `update idempotent_reply set owner_epoch = '${NO_EPOCH}'
          where token_id = $1 and key = $2 and status is null
            and owner_instance = $3 and owner_epoch = $4 and request_id = $5
          returning pg_notify('${REPLY_CHANNEL}', token_id::text || ' ' || key)`,
        [call.tokenId, call.key, call.owner.instance, call.owner.epoch, call.requestId],
      ),
    );
  }

  async #giveUp(call: IdempotentCall, write: () => Promise<unknown>): Promise<void> {
    const name = nameReply(call);
    this.#pendingWrites.set(name, write);
    await this.#write(name, write);
  }

  async #retryPendingWrites(): Promise<void> {
    for (const [name, write] of this.#pendingWrites) {
      if (this.#held.has(name)) continue;
      this.#held.add(name);
      await this.#write(name, write);
    }
  }

  /** Writes that a call gave up its key, and releases the name, which this process holds. */
  async #write(name: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
      this.#pendingWrites.delete(name);
    } finally {
      this.#held.delete(name);
    }
  }

  /** Forgets answers older than so many hours, in batches that keep nothing locked for long. */
  async expire(hours: number): Promise<void> {
    await deleteInBatches(
      this.database,
      `delete from idempotent_reply where (token_id, key) in (
         select r.token_id, r.key from idempotent_reply r
          where r.created_at < now() - make_interval(hours => $1) and r.parts is null
          order by r.created_at limit $2 for update skip locked)`,
      hours,
    );
    await deleteInBatches(
      this.database,
      `delete from idempotent_reply where (token_id, key) in (
         select r.token_id, r.key from idempotent_reply r
          where r.created_at < now() - make_interval(hours => $1) and r.parts is not null
          order by r.created_at limit $2 for update skip locked)`,
      hours,
      IN_PARTS_AT_ONCE,
    );
  }

  /**
   * The answer of a call that has one.
   *
   * @throws GatewayError `internal_error` when the key that encrypted it is gone: the call was made and is not made again.
   */
  async #readBody(call: IdempotentCall, row: ReplyRow): Promise<Buffer | undefined> {
    try {
      return await (row.form === 'parts' || row.form === 'compressed'
        ? this.#readLong(call, row)
        : this.#readShort(call, row));
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      throw new GatewayError('internal_error', 'The answer to this call cannot be decrypted any more.');
    }
  }

  async #readShort(call: IdempotentCall, row: ReplyRow): Promise<Buffer | undefined> {
    const content = await readContent(this.database, { ...call, requestId: row.request_id });
    if (!content) return undefined;
    const joined = await moveInSlices(content, this.#steps.pause);
    return row.form === 'body' ? joined : openReply(joined, call, this.#steps);
  }

  async #readLong(call: IdempotentCall, row: ReplyRow): Promise<Buffer | undefined> {
    const place = { ...call, requestId: row.request_id };
    const endTurn = await this.#takeTurn();
    try {
      const content =
        row.parts === null
          ? await readContent(this.database, place)
          : await readParts(this.database, { ...place, count: row.parts }, this.#steps);
      return content && (await decompressReply(content, this.#steps.pause));
    } finally {
      endTurn();
    }
  }

  async #takeOver(call: IdempotentCall, row: ReplyRow): Promise<IdempotentClaim> {
    const [, updated] = await this.database.query<[unknown[], number]>(
      `update idempotent_reply set owner_instance = $3, owner_epoch = $4
        where token_id = $1 and key = $2 and status is null and owner_instance = $5 and owner_epoch = $6`,
      [call.tokenId, call.key, call.owner.instance, call.owner.epoch, row.owner_instance, row.owner_epoch],
    );
    return updated === 1 ? { state: 'run', requestId: row.request_id } : { state: 'running' };
  }
}

/** @returns whether it is kept: not if the key was given to another process meanwhile. */
async function keepReply(
  manager: EntityManager,
  { tokenId, key, owner }: IdempotentCall,
  { status, headers }: StoredReply,
  { body, sealed, parts }: { readonly body?: Buffer; readonly sealed?: Buffer; readonly parts?: number },
): Promise<boolean> {
  const [, kept] = await manager.query<[unknown[], number]>(
    `update idempotent_reply
        set status = $3, headers = $4, completed_at = now(), body = $7, sealed = convert_from($8::bytea, 'UTF8'), parts = $9
      where token_id = $1 and key = $2 and status is null and owner_instance = $5 and owner_epoch = $6
      returning pg_notify('${REPLY_CHANNEL}', token_id::text || ' ' || key)`,
    [tokenId, key, status, JSON.stringify(headers), owner.instance, owner.epoch, body, sealed, parts],
  );
  return kept === 1;
}

/** The name of a call with an Idempotency-Key in announcements. */
export function nameReply({ tokenId, key }: Pick<IdempotentCall, 'tokenId' | 'key'>): string {
  return `${tokenId} ${key}`;
}
