import { budgetsSchema, limitsSchema } from '@mg/contract';
import { USER_ROLES, USER_SORTS } from '@mg/persistence/console';
import { z } from 'zod';
import { emailSchema, newPasswordSchema } from '../auth/auth-schemas.js';
import { FOREIGN_CURSOR, hasOwnCursor, namesOf, pickQuerySchema, sortedShape } from '../http/page-query.js';

export const userQuerySchema = pickQuerySchema
  .extend({ ...sortedShape('desc'), sort: z.enum(namesOf(USER_SORTS)).default('created') })
  .refine(hasOwnCursor(USER_SORTS, z.uuid()), FOREIGN_CURSOR);

export type UserQuery = z.output<typeof userQuerySchema>;

export const userCreateSchema = z.strictObject({
  email: emailSchema,
  password: newPasswordSchema,
  role: z.enum(USER_ROLES),
  name: z.string().trim().max(128).default(''),
});

export type UserCreate = z.output<typeof userCreateSchema>;

export const userPatchSchema = z
  .strictObject({
    role: z.enum(USER_ROLES),
    disabled: z.boolean().describe("A disabled user's sessions and API keys stop."),
    password: newPasswordSchema,
    limits: limitsSchema.describe('Of all calls that are theirs; replaces the limits as a whole.'),
    budgets: budgetsSchema.describe('Of all calls that are theirs; replaces the budgets as a whole.'),
  })
  .partial();

export type UserPatch = z.output<typeof userPatchSchema>;
