import type { EntityManager } from 'typeorm';
import type { CapturedBody } from '../capture/captured-bodies.js';
import { cutPage, type Page, type PageRequest } from './page.js';

/** A call of which bodies are kept. */
export interface CapturedCallRow {
  readonly requestId: string;
  readonly tokenId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly parts: readonly Pick<CapturedBody, 'part' | 'contentType' | 'bytes' | 'truncated'>[];
}

/** The reading side of captured bodies; billing deletes them when their time is over. */
export class CaptureRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Calls whose bodies are kept, newest first. */
  async list(tokenId: string | undefined, page: PageRequest): Promise<Page<CapturedCallRow>> {
    const rows = await this.manager.query<CapturedCallRow[]>(
      `select request_id as "requestId", (array_agg(token_id))[1] as "tokenId", min(created_at) as "createdAt",
              max(expires_at) as "expiresAt",
              jsonb_agg(jsonb_build_object('part', part, 'contentType', content_type, 'bytes', bytes,
                'truncated', truncated) order by part) as parts
         from captured_body
        where ($1::uuid is null or token_id = $1) and ($2::uuid is null or request_id < $2) and expires_at > now()
        group by request_id order by request_id desc limit $3`,
      [tokenId ?? null, page.after ?? null, page.limit + 1],
    );
    return cutPage(rows, page.limit, (row) => row.requestId);
  }

  /** The bodies of a call, sealed; none when their time is over. */
  async find(requestId: string): Promise<CapturedBody[]> {
    const rows = await this.manager.query<(Omit<CapturedBody, 'bytes'> & { bytes: string })[]>(
      `select request_id as "requestId", part, token_id as "tokenId", expires_at as "expiresAt",
              content_type as "contentType", bytes, truncated, sealed
         from captured_body where request_id = $1 and expires_at > now() order by part`,
      [requestId],
    );
    return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
  }
}
