import { And, type EntityManager, In, IsNull } from 'typeorm';
import { ModelEntity, type ModelRow, PriceVersionEntity, type PriceVersionRow } from '../entities/model.js';
import { holding, type Page, type PageRequest } from './page.js';
import { BY_KEY, byText, findSorted, type ListOrder, type SortColumns } from './sorted-page.js';

type OptionalColumns = Pick<
  ModelRow,
  'fallback' | 'fallbackOn' | 'routing' | 'sticky' | 'hedge' | 'firstTokenTimeoutMs' | 'limits' | 'aliases'
>;
/** What is left out has the default of its column. */
export type NewModel = Pick<ModelRow, 'slug' | 'kind' | 'state' | 'maxOutputTokens' | 'contextWindow'> &
  Partial<OptionalColumns>;
export type ModelChange = Partial<Omit<NewModel, 'slug'>>;
/** Without `effectiveFrom` the price is in force at once, on Postgres's clock. */
export type NewPriceVersion = Pick<PriceVersionRow, 'id' | 'modelSlug' | 'price' | 'source'> & {
  readonly effectiveFrom?: Date;
};

type ModelSort = 'slug' | 'kind' | 'state';

/** What models can be sorted by. */
export const MODEL_SORTS: SortColumns<ModelSort> = {
  slug: BY_KEY,
  kind: byText('row.kind'),
  state: byText('row.state'),
};

interface ModelChoice extends Partial<ListOrder<ModelSort>> {
  /** These alone. */
  readonly slugs?: readonly string[] | undefined;
  /** Part of the slug, in upper or lower case. */
  readonly search?: string | undefined;
}

export class ModelRepository {
  constructor(private readonly manager: EntityManager) {}

  find(slug: string): Promise<ModelRow | null> {
    return this.#models.findOneBy({ slug });
  }

  /** Those that there are of these slugs, by slug. */
  async findAll(slugs: readonly string[]): Promise<Map<string, ModelRow>> {
    const rows = await this.#models.findBy({ slug: In([...slugs]) });
    return new Map(rows.map((row) => [row.slug, row]));
  }

  /** By slug, unless sorted. */
  list(
    page: PageRequest,
    { slugs, search, sort = 'slug', order = 'asc' }: ModelChoice = {},
  ): Promise<Page<ModelRow>> {
    const conditions = [
      ...(slugs === undefined ? [] : [In([...slugs])]),
      ...(search === undefined ? [] : [holding(search)]),
    ];
    return findSorted(this.#models, {
      where: conditions.length === 0 ? {} : { slug: And(...conditions) },
      column: MODEL_SORTS[sort],
      direction: order,
      page,
      key: 'slug',
    });
  }

  /** Which of these slugs no model has. */
  async findMissing(slugs: readonly string[]): Promise<string[]> {
    const rows = await this.#models.find({ select: { slug: true }, where: { slug: In([...slugs]) } });
    const known = new Set(rows.map((row) => row.slug));
    return slugs.filter((slug) => !known.has(slug));
  }

  /** @throws QueryFailedError (unique violation) when the slug is taken. */
  async insert(model: NewModel): Promise<void> {
    await this.#models.insert(model);
  }

  async update(slug: string, change: ModelChange): Promise<void> {
    await this.#models.update({ slug }, { ...change, updatedAt: () => 'now()' });
  }

  /** Sets the limits that a model has none of yet. To know of them is not a change by somebody, so `updatedAt` stays. */
  async fillLimits(
    slug: string,
    { maxOutputTokens, contextWindow }: Pick<ModelRow, 'maxOutputTokens' | 'contextWindow'>,
  ): Promise<void> {
    await this.#models.update({ slug, maxOutputTokens: IsNull() }, { maxOutputTokens });
    await this.#models.update({ slug, contextWindow: IsNull() }, { contextWindow });
  }

  /** The price in force now on Postgres's clock, by slug. */
  async findPricesInForce(slugs: readonly string[]): Promise<Map<string, PriceVersionRow>> {
    const rows = await this.#prices
      .createQueryBuilder('price')
      .distinctOn(['price.modelSlug'])
      .where('price.modelSlug = any(:slugs)', { slugs: [...slugs] })
      .andWhere('price.effectiveFrom <= clock_timestamp()')
      .orderBy('price.modelSlug')
      .addOrderBy('price.effectiveFrom', 'DESC')
      .addOrderBy('price.id', 'DESC')
      .getMany();
    return new Map(rows.map((row) => [row.modelSlug, row]));
  }

  /** Every price a model had, has and will have, latest first. */
  listPrices(slug: string): Promise<PriceVersionRow[]> {
    return this.#prices.find({ where: { modelSlug: slug }, order: { effectiveFrom: 'DESC', id: 'DESC' } });
  }

  async findPricesById(ids: readonly string[]): Promise<Map<string, PriceVersionRow>> {
    const rows = await this.#prices.findBy({ id: In([...ids]) });
    return new Map(rows.map((row) => [row.id, row]));
  }

  async addPrice(price: NewPriceVersion): Promise<void> {
    await this.#prices.insert(price);
  }

  get #models() {
    return this.manager.getRepository(ModelEntity);
  }

  get #prices() {
    return this.manager.getRepository(PriceVersionEntity);
  }
}
