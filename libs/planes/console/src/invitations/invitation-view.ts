import type { InvitationRow, OpenInvitation } from '@mg/persistence/console';
import type { z } from 'zod';
import type { invitationSchema, shownInvitationSchema } from './invitation-schemas.js';

export type InvitationView = z.output<typeof invitationSchema>;
export type ShownInvitation = z.output<typeof shownInvitationSchema>;

/** What is shown of an invitation to those who manage its project: everything but its link. */
export function toInvitationView(invitation: InvitationRow): InvitationView {
  return {
    id: invitation.id,
    role: invitation.role,
    email: invitation.email,
    created_by: invitation.createdBy,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  };
}

/** What whoever has the link is shown. */
export function toShownInvitation(invitation: OpenInvitation): ShownInvitation {
  return {
    project_name: invitation.projectName,
    role: invitation.role,
    email: invitation.email,
    expires_at: invitation.expiresAt.toISOString(),
  };
}
