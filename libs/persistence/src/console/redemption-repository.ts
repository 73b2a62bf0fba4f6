import { omitUndefined } from '@mg/contract';
import { type EntityManager, In, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import {
  RedemptionBatchEntity,
  type RedemptionBatchRow,
  RedemptionCodeEntity,
  type RedemptionCodeRow,
} from '../entities/redemption.js';
import { cutPage, type Page, type PageRequest } from './page.js';

/** A batch, and how many of its codes were redeemed. */
export type RedemptionBatch = RedemptionBatchRow & { readonly redeemed: number };

export type NewRedemptionBatch = Pick<
  RedemptionBatchRow,
  'id' | 'note' | 'amount' | 'expiresAt' | 'createdBy'
> & { readonly codes: readonly Pick<RedemptionCodeRow, 'id' | 'codeHash' | 'hint'>[] };

/** A code that belongs to a wallet now, and to none other ever. */
export interface ClaimedCode {
  readonly id: string;
  readonly amount: bigint;
  readonly note: string;
}

export class RedemptionRepository {
  constructor(private readonly manager: EntityManager) {}

  async insert({ codes, ...batch }: NewRedemptionBatch): Promise<void> {
    await this.#batches.insert({ ...batch, count: codes.length });
    await this.#codes.insert(codes.map((code) => ({ ...code, batchId: batch.id })));
  }

  async find(id: string): Promise<RedemptionBatch | undefined> {
    const [batch] = await this.#withRedeemed(await this.#batches.findBy({ id }));
    return batch;
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<RedemptionBatch>> {
    const rows = await this.#batches.find({
      where: page.after === undefined ? {} : { id: LessThan(page.after) },
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    return cutPage(await this.#withRedeemed(rows), page.limit, (row) => row.id);
  }

  /** The codes of a batch, without the codes. */
  async listCodes(batchId: string, page: PageRequest): Promise<Page<RedemptionCodeRow>> {
    const rows = await this.#codes.find({
      where: omitUndefined({ batchId, id: page.after === undefined ? undefined : MoreThan(page.after) }),
      order: { id: 'ASC' },
      take: page.limit + 1,
    });
    return cutPage(rows, page.limit, (row) => row.id);
  }

  async setDisabled(id: string, disabled: boolean): Promise<void> {
    await this.#batches.update({ id }, { disabled });
  }

  /**
   * Gives a code to a wallet, if it is good and nobody else's; answers `undefined` otherwise. The wallet that has it
   * already is given it again, so that a credit that failed can be repeated. One statement, since it decides who
   * of several at once has the code.
   */
  async claim(codeHash: string, walletId: string, userId: string): Promise<ClaimedCode | undefined> {
    const [rows] = await this.manager.query<[{ id: string; amount: string; note: string }[], number]>(
      `update redemption_code c
          set wallet_id = $2, claimed_by = coalesce(c.claimed_by, $3), claimed_at = coalesce(c.claimed_at, now())
         from redemption_batch b
        where c.code_hash = $1 and b.id = c.batch_id
          and (c.wallet_id = $2
            or (c.wallet_id is null and not b.disabled and (b.expires_at is null or b.expires_at > now())))
       returning c.id, b.amount, b.note`,
      [codeHash, walletId, userId],
    );
    const row = rows[0];
    return row && { id: row.id, amount: BigInt(row.amount), note: row.note };
  }

  async markCredited(id: string): Promise<void> {
    await this.#codes.update({ id, creditedAt: IsNull() }, { creditedAt: () => 'now()' });
  }

  async #withRedeemed(batches: readonly RedemptionBatchRow[]): Promise<RedemptionBatch[]> {
    const claimed = await this.#codes
      .createQueryBuilder('code')
      .select('code.batchId', 'batchId')
      .addSelect('count(*)::integer', 'redeemed')
      .where({ batchId: In(batches.map(({ id }) => id)), claimedAt: Not(IsNull()) })
      .groupBy('code.batchId')
      .getRawMany<{ batchId: string; redeemed: number }>();
    const redeemed = new Map(claimed.map((row) => [row.batchId, row.redeemed]));
    return batches.map((batch) => ({ ...batch, redeemed: redeemed.get(batch.id) ?? 0 }));
  }

  get #batches() {
    return this.manager.getRepository(RedemptionBatchEntity);
  }

  get #codes() {
    return this.manager.getRepository(RedemptionCodeEntity);
  }
}
