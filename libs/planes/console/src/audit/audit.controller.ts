import { type AuditRow, ConsoleStore } from '@mg/persistence/console';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiRoute } from '../http/api-route.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { Roles } from '../http/route-access.js';
import type { AuditAction } from './audit-actions.js';
import { type AuditQuery, auditQuerySchema, auditSchema } from './audit-schemas.js';

type AuditView = z.output<typeof auditSchema>;

@ApiTags('audit')
@Controller('api/v1/audit')
export class AuditController {
  constructor(private readonly store: ConsoleStore) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Changes, newest first',
    answer: listSchema(auditSchema),
  })
  async list(@Query({ schema: auditQuerySchema }) query: AuditQuery): Promise<ListAnswer<AuditView>> {
    const { actor_id: actorId, action, target_type: targetType, target_id: targetId } = query;
    const page = await this.store.audit.list({ actorId, action, targetType, targetId }, toPageRequest(query));
    return toListAnswer(page, toAuditView);
  }
}

function toAuditView(row: AuditRow): AuditView {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    actor_id: row.actorId,
    actor_email: row.actorEmail,
    action: row.action as AuditAction,
    target_type: row.targetType,
    target_id: row.targetId,
    before: row.before,
    after: row.after,
    request_id: row.requestId,
    address: row.address,
  };
}
