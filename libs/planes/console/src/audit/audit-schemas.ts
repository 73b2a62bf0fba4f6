import { z } from 'zod';
import { pageQueryShape } from '../http/page-query.js';
import { AUDIT_ACTIONS } from './audit-actions.js';

export const auditQuerySchema = z.strictObject({
  ...pageQueryShape,
  actor_id: z.uuid().optional().describe('Changes by this user.'),
  action: z.string().max(64).optional().describe('What was done, as in token.create.'),
  target_type: z.string().max(64).optional(),
  target_id: z.string().max(128).optional(),
});

export type AuditQuery = z.output<typeof auditQuerySchema>;

export const auditSchema = z
  .object({
    id: z.uuid(),
    created_at: z.iso.datetime(),
    actor_id: z.uuid().nullable(),
    actor_email: z.string(),
    action: z
      .enum(AUDIT_ACTIONS)
      .describe('What this version writes; rows of another version may say something else.'),
    target_type: z.string(),
    target_id: z.string(),
    before: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What was changed or is gone, without secrets.'),
    after: z.record(z.string(), z.unknown()).nullable().describe('What it became.'),
    request_id: z.uuid(),
    address: z.string(),
  })
  .meta({ id: 'AuditEntry' });
