import type { ProjectMember, SeenProject } from '@mg/persistence/console';
import type { z } from 'zod';
import type { memberSchema, projectSchema } from './project-schemas.js';

export type ProjectView = z.output<typeof projectSchema>;
export type MemberView = z.output<typeof memberSchema>;

export function toProjectView(project: SeenProject): ProjectView {
  return {
    id: project.id,
    name: project.name,
    wallet_id: project.walletId,
    role: project.role,
    created_at: project.createdAt.toISOString(),
  };
}

export function toMemberView(member: ProjectMember): MemberView {
  return {
    user_id: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    origin: member.origin,
    created_at: member.createdAt.toISOString(),
  };
}
