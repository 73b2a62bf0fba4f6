import type { TaskState } from '@mg/contract';
import { type EntityManager, type FindOptionsWhere, LessThan } from 'typeorm';
import { inWalletOf, type OwnerScope } from './owner-scope.js';
import { cutPage, type Page, type PageRequest } from './page.js';
import {
  VideoTaskEntity,
  VideoTaskEventEntity,
  type VideoTaskEventRow,
  type VideoTaskRow,
} from './task-entities.js';

export interface VideoTaskFilter {
  readonly state?: TaskState | undefined;
  readonly model?: string | undefined;
  readonly tokenId?: string | undefined;
}

/** The reading side of video tasks. Tasks that their owner removed from the API's list stay here, beside their charges. */
export class TaskRepository {
  constructor(private readonly manager: EntityManager) {}

  find(scope: OwnerScope, id: string): Promise<VideoTaskRow | null> {
    return this.#tasks.findOneBy({ id, ...inWalletOf(scope) });
  }

  /** Newest first: ids are ordered by time. */
  async list(scope: OwnerScope, filter: VideoTaskFilter, page: PageRequest): Promise<Page<VideoTaskRow>> {
    const where: FindOptionsWhere<VideoTaskRow> = { ...inWalletOf(scope) };
    if (filter.state !== undefined) where.state = filter.state;
    if (filter.model !== undefined) where.model = filter.model;
    if (filter.tokenId !== undefined) where.tokenId = filter.tokenId;
    if (page.after !== undefined) where.id = LessThan(page.after);
    const rows = await this.#tasks.find({ where, order: { id: 'DESC' }, take: page.limit + 1 });
    return cutPage(rows, page.limit, (row) => row.id);
  }

  /** A task's history, oldest first. Whether the caller may see the task is asked before. */
  listEvents(taskId: string): Promise<VideoTaskEventRow[]> {
    return this.manager.getRepository(VideoTaskEventEntity).find({ where: { taskId }, order: { id: 'ASC' } });
  }

  get #tasks() {
    return this.manager.getRepository(VideoTaskEntity);
  }
}
