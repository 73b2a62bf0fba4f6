import { PROJECT_ROLES } from '@mg/persistence/console';
import { z } from 'zod';
import { emailSchema, newPasswordSchema } from '../auth/auth-schemas.js';

const MOST_DAYS = 30;
const DEFAULT_DAYS = 7;

const tokenField = z.string().min(1).max(64).describe('What stands after # in the link.');

export const invitationCreateSchema = z.strictObject({
  role: z.enum(PROJECT_ROLES).describe('What whoever uses the link will be in the project.'),
  email: emailSchema.nullable().default(null).describe('Whom it is for; null: whoever has the link, once.'),
  expires_in_days: z.int().min(1).max(MOST_DAYS).default(DEFAULT_DAYS),
});

export type InvitationCreate = z.output<typeof invitationCreateSchema>;

export const invitationSchema = z
  .object({
    id: z.uuid(),
    role: z.enum(PROJECT_ROLES),
    email: z.string().nullable(),
    created_by: z.uuid(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'Invitation' });

export const invitationWithTokenSchema = invitationSchema
  .extend({
    token: z.string().describe('Shown here once. The link is `/join#` with it, where the Console is opened.'),
  })
  .meta({ id: 'InvitationWithToken' });

export const invitationsSchema = z.object({ data: z.array(invitationSchema) });

export const invitationTokenSchema = z.strictObject({ token: tokenField });

export type InvitationToken = z.output<typeof invitationTokenSchema>;

export const shownInvitationSchema = z
  .object({
    project_name: z.string(),
    role: z.enum(PROJECT_ROLES),
    email: z.string().nullable().describe('Whom it is for; null: whoever has the link.'),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'ShownInvitation' });

export const registerSchema = z.strictObject({
  token: tokenField,
  email: emailSchema,
  name: z.string().trim().max(128).default(''),
  password: newPasswordSchema,
});

export type Registration = z.output<typeof registerSchema>;
