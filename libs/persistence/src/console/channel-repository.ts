import { type EntityManager, In, LessThan, type QueryDeepPartialEntity } from 'typeorm';
import {
  ChannelEntity,
  type ChannelRow,
  ChannelSecretEntity,
  type ChannelSecretRow,
} from './channel-entities.js';
import { cutPage, type Page, type PageRequest } from './page.js';

export type NewChannel = Omit<ChannelRow, 'createdAt' | 'updatedAt'>;
export type ChannelChange = Partial<Omit<NewChannel, 'id'>>;

export class ChannelRepository {
  constructor(private readonly manager: EntityManager) {}

  find(id: string): Promise<ChannelRow | null> {
    return this.#channels.findOneBy({ id });
  }

  findByName(name: string): Promise<ChannelRow | null> {
    return this.#channels.findOneBy({ name });
  }

  /** Finds a channel and keeps others from changing it until the transaction ends. */
  findLocked(where: { id: string } | { name: string }): Promise<ChannelRow | null> {
    return this.#channels.findOne({ where, lock: { mode: 'for_no_key_update' } });
  }

  findByType(type: string): Promise<ChannelRow[]> {
    return this.#channels.findBy({ type });
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<ChannelRow>> {
    const rows = await this.#channels.find({
      where: page.after === undefined ? {} : { id: LessThan(page.after) },
      order: { id: 'DESC' },
      take: page.limit + 1,
    });
    return cutPage(rows, page.limit, (row) => row.id);
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

  /** Answers whether there was such a channel. Its credentials go with it. */
  async delete(id: string): Promise<boolean> {
    return (await this.#channels.delete({ id })).affected === 1;
  }

  findSecret(channelId: string): Promise<ChannelSecretRow | null> {
    return this.#secrets.findOneBy({ channelId });
  }

  findSecrets(channelIds: readonly string[]): Promise<ChannelSecretRow[]> {
    return this.#secrets.findBy({ channelId: In([...channelIds]) });
  }

  async saveSecret(secret: ChannelSecretRow): Promise<void> {
    await this.#secrets.upsert(secret, ['channelId']);
  }

  get #channels() {
    return this.manager.getRepository(ChannelEntity);
  }

  get #secrets() {
    return this.manager.getRepository(ChannelSecretEntity);
  }
}
