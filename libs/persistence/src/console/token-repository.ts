import { omitUndefined } from '@mg/contract';
import { type EntityManager, type FindOptionsWhere, In, IsNull } from 'typeorm';
import { type OwnerScope, tokensIn } from './owner-scope.js';
import { among, holding, type Page, type PageRequest, type RowChoice } from './page.js';
import {
  BY_KEY,
  byNumber,
  byText,
  findSorted,
  type ListOrder,
  NEWEST_FIRST,
  type SortColumns,
} from './sorted-page.js';
import { TokenEntity, type TokenRow } from '../entities/token.js';

type OptionalColumns =
  | 'formerKeyHash'
  | 'formerKeyUntil'
  | 'allowedIps'
  | 'disabledBy'
  | 'limits'
  | 'budgets'
  | 'cacheMs'
  | 'captureSeconds'
  | 'captureUntil'
  | 'defaultModel'
  | 'storeResponses';
export type NewToken = Omit<TokenRow, 'used' | 'held' | OptionalColumns | 'deletedAt' | 'createdAt'> &
  Partial<Pick<TokenRow, OptionalColumns>>;
export type TokenChange = Partial<Omit<NewToken, 'id'>>;

/** Which tokens of a list are wanted; all by default. */
interface TokenChoice extends RowChoice {
  /** Wallet of a project: its tokens alone. */
  readonly projectWalletId?: string | undefined;
  /** Tokens of this user alone, among those that are seen. */
  readonly userId?: string | undefined;
}

type TokenSort = 'created' | 'name' | 'used' | 'quota';

/** What tokens can be sorted by; those without a quota have the largest. */
export const TOKEN_SORTS: SortColumns<TokenSort> = {
  created: BY_KEY,
  name: byText('lower(row.name)'),
  used: byNumber('row.used'),
  quota: byNumber('coalesce(row.spendingQuota, 9223372036854775807)'),
};

/** Living tokens, unless a method says otherwise. */
export class TokenRepository {
  constructor(private readonly manager: EntityManager) {}

  find(scope: OwnerScope, id: string): Promise<TokenRow | null> {
    return this.#tokens.findOneBy(living(scope, { id }));
  }

  /** Finds a token and keeps others from changing it until the transaction ends; calls may still be charged to it. */
  findLocked(scope: OwnerScope, id: string): Promise<TokenRow | null> {
    return this.#tokens.findOne({
      where: living(scope, { id }),
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Those that there are of these names in any of these wallets. */
  findAllByName(walletIds: readonly string[], names: readonly string[]): Promise<TokenRow[]> {
    return this.#tokens.findBy({
      walletId: In([...walletIds]),
      name: In([...names]),
      deletedAt: IsNull(),
    });
  }

  /** Deleted ones included: their keys stay taken for good. */
  findByKeyHash(keyHash: string): Promise<TokenRow | null> {
    return this.#tokens.findOneBy({ keyHash });
  }

  /** Which of these key hashes a token has or had. */
  async findTakenKeyHashes(keyHashes: readonly string[]): Promise<Set<string>> {
    const rows = await this.#tokens.find({
      select: { keyHash: true },
      where: { keyHash: In([...keyHashes]) },
    });
    return new Set(rows.map((row) => row.keyHash));
  }

  /** Whether a wallet ever had a token of that name, deleted ones included. */
  everExisted(walletId: string, name: string): Promise<boolean> {
    return this.#tokens.existsBy({ walletId, name });
  }

  async list(
    scope: OwnerScope,
    page: PageRequest,
    choice: TokenChoice = {},
    { sort, order }: ListOrder<TokenSort> = NEWEST_FIRST,
  ): Promise<Page<TokenRow>> {
    const chosen = {
      ...omitUndefined({
        name: choice.search === undefined ? undefined : holding(choice.search),
        userId: choice.userId,
      }),
      ...among(choice),
    };
    const where = living(scope, chosen, choice.projectWalletId);
    if (where.length === 0) return { rows: [], next: undefined };
    return findSorted(this.#tokens, {
      where,
      column: TOKEN_SORTS[sort],
      direction: order,
      page,
      key: 'id',
    });
  }

  /** @throws QueryFailedError (unique violation) when the key, or the name within the wallet, is taken. */
  async insert(token: NewToken): Promise<void> {
    await this.#tokens.insert(token);
  }

  /** Answers whether there was such a token. @throws QueryFailedError as `insert` does. */
  async update(scope: OwnerScope, id: string, change: TokenChange): Promise<boolean> {
    if (Object.keys(change).length === 0) return (await this.find(scope, id)) !== null;
    const result = await this.#tokens.update(living(scope, { id }), change);
    return result.affected === 1;
  }

  /** Ends a token; its row stays, since history points at it. Answers whether there was such a token. */
  async markDeleted(scope: OwnerScope, id: string): Promise<boolean> {
    const result = await this.#tokens.update(living(scope, { id }), { deletedAt: () => 'now()' });
    return result.affected === 1;
  }

  /** Makes every gateway reload the tokens of a user and of their wallets: the triggers announce a written column, changed or not. */
  async announceTokensOf(userId: string): Promise<void> {
    await this.manager.query(
      `with chosen as (
         select t.id from token t join wallet w on w.id = t.wallet_id
          where t.deleted_at is null and (t.user_id = $1 or w.user_id = $1) order by t.id for no key update of t
       ) update token t set disabled = t.disabled from chosen c where t.id = c.id`,
      [userId],
    );
  }

  /**
   * Takes a user's tokens off wallets that are not theirs, nor of a project where they have keys: those of the configuration
   * file go over to another user, all others are disabled. The triggers notify gateways.
   *
   * @returns the names of the tokens that were disabled now.
   */
  async detachFromForeignWallets(userId: string, successorId: string): Promise<string[]> {
    const [rows] = await this.manager.query<[{ name: string; declared: boolean }[], number]>(
      `with chosen as (
         select t.id from token t join wallet w on w.id = t.wallet_id
          where t.deleted_at is null and t.user_id = $1 and w.user_id is distinct from $1 and (t.declared or not t.disabled)
            and not exists (select from project p join project_member m on m.project_id = p.id
                             where p.wallet_id = t.wallet_id and m.user_id = $1 and m.role in ('owner', 'member'))
          order by t.id for no key update of t
       ) update token t
            set disabled = t.disabled or not t.declared, user_id = case when t.declared then $2 else t.user_id end
           from chosen c where t.id = c.id returning t.name, t.declared`,
      [userId, successorId],
    );
    return rows.filter((row) => !row.declared).map((row) => row.name);
  }

  /**
   * Disables the tokens that pay from a wallet. The triggers notify gateways.
   *
   * @param userId those of this user alone.
   * @returns the names of the tokens that were disabled now.
   */
  async disableIn(walletId: string, userId?: string): Promise<string[]> {
    const [rows] = await this.manager.query<[{ name: string }[], number]>(
      `with chosen as (
         select t.id from token t
          where t.wallet_id = $1 and ($2::uuid is null or t.user_id = $2) and t.deleted_at is null and not t.disabled
          order by t.id for no key update
       ) update token t set disabled = true from chosen c where t.id = c.id returning t.name`,
      [walletId, userId ?? null],
    );
    return rows.map((row) => row.name);
  }

  get #tokens() {
    return this.manager.getRepository(TokenEntity);
  }
}

/** What `chosen` wants of the tokens that somebody sees; a part that shows other users than the wanted one is left out. */
function living(
  scope: OwnerScope,
  chosen: FindOptionsWhere<TokenRow>,
  projectWalletId?: string,
): FindOptionsWhere<TokenRow>[] {
  return tokensIn(scope, projectWalletId)
    .filter(({ userId }) => userId === undefined || (chosen.userId ?? userId) === userId)
    .map((part) => ({ ...chosen, deletedAt: IsNull(), ...part }));
}
