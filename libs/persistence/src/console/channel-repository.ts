import { type EntityManager, In, type QueryDeepPartialEntity, Raw } from 'typeorm';
import {
  ChannelCredentialEntity,
  type ChannelCredentialRow,
  ChannelEntity,
  type ChannelRow,
  ChannelSecretEntity,
} from '../entities/channel.js';
import type { SealedCredential } from '../secrets/channel-credentials.js';
import { writeCredentials } from '../secrets/write-credentials.js';
import { holding, type Page, type PageRequest, type RowChoice } from './page.js';
import {
  BY_KEY,
  byNumber,
  byText,
  findSorted,
  type ListOrder,
  NEWEST_FIRST,
  type SortColumns,
} from './sorted-page.js';

type ChannelColumns = Omit<ChannelRow, 'createdAt' | 'updatedAt' | 'credentials' | 'legacySecret'>;
type OptionalColumn = 'onAbort' | 'limits' | 'probeMs' | 'promptCaching' | 'batches' | 'disabledKeys';
/** What is left out has the default of its column. */
export type NewChannel = Omit<ChannelColumns, OptionalColumn> & Partial<Pick<ChannelColumns, OptionalColumn>>;
export type ChannelChange = Partial<Omit<ChannelColumns, 'id'>>;

/** A part of a channel's credentials, without the credential. */
export type KnownCredential = Pick<
  ChannelCredentialRow,
  'channelId' | 'part' | 'fingerprint' | 'hints' | 'removed'
>;

type ChannelSort = 'created' | 'name' | 'type' | 'priority';

/** What channels can be sorted by. */
export const CHANNEL_SORTS: SortColumns<ChannelSort> = {
  created: BY_KEY,
  name: byText('lower(row.name)'),
  type: byText('row.type'),
  priority: byNumber('row.priority'),
};

export class ChannelRepository {
  constructor(private readonly manager: EntityManager) {}

  find(id: string): Promise<ChannelRow | null> {
    return this.#channels.findOneBy({ id });
  }

  findByName(name: string): Promise<ChannelRow | null> {
    return this.#channels.findOneBy({ name });
  }

  /** Finds a channel and keeps others from changing it until the transaction ends. */
  findLocked(id: string): Promise<ChannelRow | null> {
    return this.#channels.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Those that there are of these names, by name, locked as `findLocked` does. */
  async findAllLocked(names: readonly string[]): Promise<Map<string, ChannelRow>> {
    const rows = await this.#channels.find({
      where: { name: In([...names]) },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    return new Map(rows.map((row) => [row.name, row]));
  }

  findByType(type: string): Promise<ChannelRow[]> {
    return this.#channels.findBy({ type });
  }

  list(
    page: PageRequest,
    { search }: Pick<RowChoice, 'search'> = {},
    { sort, order }: ListOrder<ChannelSort> = NEWEST_FIRST,
  ): Promise<Page<ChannelRow>> {
    return findSorted(this.#channels, {
      where: search === undefined ? {} : { name: holding(search) },
      column: CHANNEL_SORTS[sort],
      direction: order,
      page,
      key: 'id',
    });
  }

  /** @throws QueryFailedError (unique violation) when the name is taken. */
  async insert(channel: NewChannel): Promise<void> {
    await this.#channels.insert(channel as QueryDeepPartialEntity<ChannelRow>);
  }

  /** @throws QueryFailedError (unique violation) when the new name is taken. */
  async update(id: string, change: ChannelChange): Promise<void> {
    const values = change as QueryDeepPartialEntity<ChannelRow>;
    await this.#channels.update({ id }, { ...values, updatedAt: () => 'now()' });
  }

  /** Changes a channel that appeared by itself, without the mark of an operator's hand that `update` leaves. */
  async refresh(id: string, change: ChannelChange): Promise<void> {
    await this.#channels.update({ id }, change as QueryDeepPartialEntity<ChannelRow>);
  }

  /** Forgets which keys were disabled, where any were. */
  async enableAllKeys(id: string): Promise<void> {
    const isMarked = Raw<string>((column) => `cardinality(${column}) > 0`);
    await this.#channels.update({ id, disabledKeys: isMarked }, { disabledKeys: [] });
  }

  /** Answers whether there was such a channel. Its credentials go with it. */
  async delete(id: string): Promise<boolean> {
    return (await this.#channels.delete({ id })).affected === 1;
  }

  /** What may be known of channels' credentials without reading them. */
  async listCredentials(channelIds: readonly string[]): Promise<KnownCredential[]> {
    return this.manager.getRepository(ChannelCredentialEntity).find({
      select: { channelId: true, part: true, fingerprint: true, hints: true, removed: true },
      where: { channelId: In([...channelIds]) },
      order: { channelId: 'ASC', part: 'ASC' },
    });
  }

  /** Hints of keys that are stored in the format of earlier versions, by channel id. */
  async findLegacyHints(channelIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.manager.getRepository(ChannelSecretEntity).find({
      select: { channelId: true, hints: true },
      where: { channelId: In([...channelIds]) },
    });
    return new Map(rows.map((row) => [row.channelId, row.hints]));
  }

  /** Deletes parts of a channel's credentials, with one announcement. */
  async deleteCredentials(channelId: string, parts: readonly string[]): Promise<void> {
    await this.manager.getRepository(ChannelCredentialEntity).delete({ channelId, part: In([...parts]) });
  }

  /** @param hints of the keys, where a part with keys is among the credentials; one is at most. */
  async saveCredentials(
    channelId: string,
    credentials: readonly SealedCredential[],
    hints: readonly string[],
  ): Promise<void> {
    await writeCredentials(this.manager, channelId, credentials, hints);
  }

  get #channels() {
    return this.manager.getRepository(ChannelEntity);
  }
}
