import { EntitySchema } from 'typeorm';
import { createdAtColumn } from './column-types.js';

/** One change that somebody made, with what was before and after it. */
export interface AuditRow {
  id: string;
  createdAt: Date;
  /** `null` where nobody was signed in yet. */
  actorId: string | null;
  actorEmail: string;
  /** What was done, as in `token.create`. */
  action: string;
  targetType: string;
  targetId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string;
  /** Network address that the request came from. */
  address: string;
}

export const AuditEntity = new EntitySchema<AuditRow>({
  name: 'audit_log',
  columns: {
    id: { type: 'uuid', primary: true },
    createdAt: createdAtColumn(),
    actorId: { name: 'actor_id', type: 'uuid', nullable: true },
    actorEmail: { name: 'actor_email', type: 'text' },
    action: { type: 'text' },
    targetType: { name: 'target_type', type: 'text' },
    targetId: { name: 'target_id', type: 'text' },
    before: { type: 'jsonb', nullable: true },
    after: { type: 'jsonb', nullable: true },
    requestId: { name: 'request_id', type: 'uuid' },
    address: { type: 'text' },
  },
});
