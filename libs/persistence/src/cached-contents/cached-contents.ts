import { toStorableText } from '@mg/contract';
import type { DataSource } from 'typeorm';

/** A prompt that a provider keeps for a wallet. */
export interface CachedContent {
  readonly id: string;
  /** The model slug. */
  readonly model: string;
  readonly channelId: string;
  /** SHA-256 of the channel's key that made it, where it has keys. */
  readonly keyHash: string | undefined;
  /** What the provider calls it. */
  readonly upstreamName: string;
  readonly displayName: string | undefined;
  /** As the provider counted them. */
  readonly tokens: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
  /** Until when its storage was charged for: it never lasts longer. */
  readonly paidUntil: Date;
}

export interface NewCachedContent extends Pick<
  CachedContent,
  'id' | 'model' | 'channelId' | 'keyHash' | 'upstreamName' | 'displayName' | 'tokens'
> {
  readonly ttlSeconds: number;
  /** How long its storage is charged for. */
  readonly paidSeconds: number;
}

interface Row {
  readonly id: string;
  readonly model_slug: string;
  readonly channel_id: string;
  readonly key_hash: string | null;
  readonly upstream_name: string;
  readonly display_name: string | null;
  readonly tokens: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly expires_at: Date;
  readonly paid_until: Date;
}

const COLUMNS =
  'id, model_slug, channel_id, key_hash, upstream_name, display_name, tokens, created_at, updated_at, expires_at, paid_until';
/** What is there for its wallet. `$1` is the wallet. */
const VISIBLE = 'wallet_id = $1 and expires_at > now()';
const DELETED_AT_ONCE = 100;

/** Where the prompts lie that providers keep, each for its wallet alone. */
export class CachedContents {
  constructor(private readonly database: DataSource) {}

  async create(walletId: string, content: NewCachedContent): Promise<CachedContent> {
    const { id, model, channelId, keyHash, upstreamName, displayName, tokens } = content;
    const [row] = await this.database.query<[Row]>(
      `insert into cached_content
         (wallet_id, id, model_slug, channel_id, key_hash, upstream_name, display_name, tokens, expires_at, paid_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9), now() + make_interval(secs => $10))
       returning ${COLUMNS}`,
      [
        walletId,
        id,
        model,
        channelId,
        keyHash ?? null,
        toStorableText(upstreamName),
        displayName === undefined ? null : toStorableText(displayName),
        tokens,
        content.ttlSeconds,
        content.paidSeconds,
      ],
    );
    return toContent(row);
  }

  async find(walletId: string, id: string): Promise<CachedContent | undefined> {
    const [row] = await this.database.query<Row[]>(
      `select ${COLUMNS} from cached_content where ${VISIBLE} and id = $2`,
      [walletId, id],
    );
    return row && toContent(row);
  }

  /** In the order of their ids, after one of them. */
  async list(walletId: string, after: string, limit: number): Promise<CachedContent[]> {
    const rows = await this.database.query<Row[]>(
      `select ${COLUMNS} from cached_content where ${VISIBLE} and id > $2 order by id limit $3`,
      [walletId, after, limit],
    );
    return rows.map(toContent);
  }

  async count(walletId: string): Promise<number> {
    const [row] = await this.database.query<{ held: number }[]>(
      `select count(*)::int as held from cached_content where ${VISIBLE}`,
      [walletId],
    );
    return row?.held ?? 0;
  }

  /** @returns `undefined` when it is gone, or the moment is beyond what was charged for. */
  async keepUntil(walletId: string, id: string, expiresAt: Date): Promise<CachedContent | undefined> {
    const [[row]] = await this.database.query<[Row[], number]>(
      `update cached_content set expires_at = $3, updated_at = now()
        where ${VISIBLE} and id = $2 and paid_until >= $3 returning ${COLUMNS}`,
      [walletId, id, expiresAt],
    );
    return row && toContent(row);
  }

  /** @returns whether there was one. */
  async delete(walletId: string, id: string): Promise<boolean> {
    const [, deleted] = await this.database.query<[unknown[], number]>(
      `delete from cached_content where ${VISIBLE} and id = $2`,
      [walletId, id],
    );
    return deleted > 0;
  }

  /** Deletes those whose time is over. */
  async expire(): Promise<void> {
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;) {
      [, deleted] = await this.database.query<[unknown[], number]>(
        `delete from cached_content where (wallet_id, id) in (
           select c.wallet_id, c.id from cached_content c where c.expires_at < now()
            limit $1 for update skip locked)`,
        [DELETED_AT_ONCE],
      );
    }
  }
}

function toContent(row: Row): CachedContent {
  return {
    id: row.id,
    model: row.model_slug,
    channelId: row.channel_id,
    keyHash: row.key_hash ?? undefined,
    upstreamName: row.upstream_name,
    displayName: row.display_name ?? undefined,
    tokens: Number(row.tokens),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    paidUntil: row.paid_until,
  };
}
