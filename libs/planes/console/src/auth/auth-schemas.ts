import { budgetsSchema, limitsSchema, REFUSALS } from '@mg/contract';
import { USER_ROLES } from '@mg/persistence/console';
import { z } from 'zod';

/** Longer passwords only cost hashing time. */
const LONGEST_PASSWORD = 256;

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .meta({ pattern: z.regexes.email.source })
  .pipe(z.email(REFUSALS.no_email));

export const newPasswordSchema = z.string().min(8).max(LONGEST_PASSWORD);

/** A password to compare: rules for new ones say nothing about it. */
export const passwordSchema = z.string().max(LONGEST_PASSWORD);

/** A code to compare. */
export const codeSchema = z.string().max(64).describe('Of the authenticator app, or a recovery code.');

export const loginSchema = z.strictObject({
  email: z.string().trim().toLowerCase().max(254),
  password: passwordSchema,
  code: codeSchema.optional(),
});

export type LoginRequest = z.output<typeof loginSchema>;

export const refreshSchema = z.strictObject({ refresh_token: z.string().max(4_096) });

export type RefreshRequest = z.output<typeof refreshSchema>;

export const passwordChangeSchema = z.strictObject({
  current_password: passwordSchema,
  new_password: newPasswordSchema,
});

export type PasswordChange = z.output<typeof passwordChangeSchema>;

export const sessionSchema = z
  .object({
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.int().describe('Seconds that the access token lives.'),
  })
  .meta({ id: 'Session' });

export const userSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.enum(USER_ROLES),
    disabled: z.boolean(),
    limits: limitsSchema,
    budgets: budgetsSchema,
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'User' });
