import { omitUndefined } from '@mg/contract';
import { And, type EntityManager, type FindOperator, type FindOptionsWhere, In } from 'typeorm';
import { WalletEntity, type WalletRow } from '../entities/wallet.js';
import { type OwnerScope, projectWalletsOf } from './owner-scope.js';
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

/** What wallets hold together, in nano-dollars. */
export interface WalletTotals {
  readonly count: number;
  readonly balance: bigint;
  readonly held: bigint;
  readonly creditLimit: bigint;
}

interface WalletTotalsRow {
  readonly count: number;
  readonly balance: string;
  readonly held: string;
  readonly credit_limit: string;
}

/** Which wallets of a list are wanted; all by default. */
interface WalletChoice extends RowChoice {
  /** Wallets of this user alone, among those that are seen. */
  readonly userId?: string | undefined;
}

export type WalletSettings = Partial<Pick<WalletRow, 'limits' | 'budgets' | 'alertBelow'>>;

type WalletSort = 'created' | 'name' | 'balance' | 'held' | 'credit_limit' | 'available';

/** What wallets can be sorted by. */
export const WALLET_SORTS: SortColumns<WalletSort> = {
  created: BY_KEY,
  name: byText('lower(row.name)'),
  balance: byNumber('row.balance'),
  held: byNumber('row.held'),
  credit_limit: byNumber('row.creditLimit'),
  available: byNumber('row.balance - row.held + row.creditLimit'),
};

/** The reading side of wallets, and what is configured of them. */
export class WalletRepository {
  constructor(private readonly manager: EntityManager) {}

  find(scope: OwnerScope, id: string): Promise<WalletRow | null> {
    return this.#wallets.findOneBy(seenBy(scope, { id: In([id]) }));
  }

  findByName(name: string): Promise<WalletRow | null> {
    return this.#wallets.findOneBy({ name });
  }

  /** Those that there are of these names, by name. */
  async findAllByName(names: readonly string[]): Promise<Map<string, WalletRow>> {
    const rows = await this.#wallets.findBy({ name: In([...names]) });
    return new Map(rows.map((row) => [row.name, row]));
  }

  /** Gives a wallet to a user, or to the operator (`null`); gateways reload its tokens. */
  async assign(id: string, userId: string | null): Promise<void> {
    await this.manager.query('select wallet_assign($1, $2)', [id, userId]);
  }

  /** Changes what is configured of a wallet; its money is billing's. */
  async update(id: string, change: WalletSettings): Promise<void> {
    if (Object.keys(change).length > 0) await this.#wallets.update({ id }, change);
  }

  /** The wallet that a user's calls are charged to when nobody says otherwise: their first. */
  findDefault(userId: string): Promise<WalletRow | null> {
    return this.#wallets.findOne({ where: { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  async list(
    scope: OwnerScope,
    page: PageRequest,
    choice: WalletChoice = {},
    { sort, order }: ListOrder<WalletSort> = NEWEST_FIRST,
  ): Promise<Page<WalletRow>> {
    // Beside their own, users see wallets of projects alone, which are no user's.
    const isOfOther = choice.userId !== undefined && scope.kind === 'user' && choice.userId !== scope.userId;
    if (isOfOther) return { rows: [], next: undefined };
    return findSorted(this.#wallets, {
      where: seenBy(scope, {
        ...omitUndefined({
          name: choice.search === undefined ? undefined : holding(choice.search),
          userId: choice.userId,
        }),
        ...among(choice),
      }),
      column: WALLET_SORTS[sort],
      direction: order,
      page,
      key: 'id',
    });
  }

  /** Sums over all wallets, in nano-dollars. */
  async total(scope: OwnerScope): Promise<WalletTotals> {
    const [row] = await this.manager.query<[WalletTotalsRow]>(
      `select count(*)::integer as count, coalesce(sum(balance), 0) as balance, coalesce(sum(held), 0) as held,
              coalesce(sum(credit_limit), 0) as credit_limit
         from wallet where $1::uuid is null or user_id = $1 or id = any($2)`,
      [scope.kind === 'user' ? scope.userId : null, projectWalletsOf(scope).owned],
    );
    return {
      count: row.count,
      balance: BigInt(row.balance),
      held: BigInt(row.held),
      creditLimit: BigInt(row.credit_limit),
    };
  }

  /** Names by id. */
  async findNames(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#wallets.find({ select: { id: true, name: true }, where: { id: In([...ids]) } });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  get #wallets() {
    return this.manager.getRepository(WalletEntity);
  }
}

/** Their own wallets, and those of projects that they own. */
function seenBy(
  scope: OwnerScope,
  chosen: FindOptionsWhere<WalletRow> & { readonly id?: FindOperator<string> },
): FindOptionsWhere<WalletRow>[] {
  if (scope.kind === 'everyone') return [chosen];
  const { owned } = projectWalletsOf(scope);
  const own = { ...chosen, userId: scope.userId };
  if (owned.length === 0) return [own];
  const shared = In([...owned]);
  return [own, { ...chosen, id: chosen.id ? And(chosen.id, shared) : shared }];
}
