import {
  allowedIpsSchema,
  budgetsSchema,
  cacheSchema,
  limitsSchema,
  nameSchema,
  REFUSALS,
  slugSchema,
  usdSchema,
} from '@mg/contract';
import { TOKEN_DISABLERS, TOKEN_SORTS } from '@mg/persistence/console';
import { z } from 'zod';
import { projectIdSchema } from '../projects/project-schemas.js';
import { FOREIGN_CURSOR, hasOwnCursor, namesOf, pickQuerySchema, sortedShape } from '../http/page-query.js';

const fields = {
  name: nameSchema,
  wallet_id: z.uuid(REFUSALS.no_wallet_id),
  allowed_models: z
    .array(slugSchema)
    .max(1_000)
    .nullable()
    .describe('Models that the token may use; null or empty means every active model.'),
  allowed_ips: allowedIpsSchema
    .nullable()
    .describe(
      'Addresses and networks, IPv4 or IPv6, that the key may be used from; null or empty means any.',
    ),
  spending_quota: usdSchema.nullable().describe('USD that the token may spend at most; null means no limit.'),
  expires_at: z.iso
    .datetime({ offset: true, error: REFUSALS.no_moment })
    .nullable()
    .describe('From this moment on the key is refused; null means never.'),
  disabled: z.boolean(),
  limits: limitsSchema.describe('Replaces the limits as a whole; {} for none.'),
  budgets: budgetsSchema.describe('Replaces the budgets as a whole; {} for none.'),
  cache: cacheSchema
    .nullable()
    .describe(
      'How old an answer may be that an equal call is given again, such as 60s; null gives none, unless a call asks.',
    ),
  default_model: slugSchema
    .nullable()
    .describe('Model for calls that name one that there is not; null means that they are refused.'),
  store_responses: z
    .boolean()
    .describe('Whether the Responses API remembers its calls, here and at the provider; true by default.'),
};

const { name, ...optionalFields } = fields;

export const tokenCreateSchema = z
  .strictObject({
    name,
    ...z.object(optionalFields).partial().shape,
    project_id: projectIdSchema
      .optional()
      .describe("The project that pays for it; in place of wallet_id. For the project's owners and members."),
    user_id: z
      .uuid(REFUSALS.no_user_id)
      .optional()
      .describe(
        'Whose key it is; the caller by default. For administrators, and for owners of a project its owners and members.',
      ),
  })
  .refine(({ project_id: project, wallet_id: wallet }) => project === undefined || wallet === undefined, {
    path: ['wallet_id'],
    message: REFUSALS.beside_project,
  });

export type TokenCreate = z.output<typeof tokenCreateSchema>;

export const tokenPatchSchema = z
  .strictObject({
    ...fields,
    former_key_until: z.null().describe('null: the key before a rotation stops at once.'),
  })
  .partial();

export type TokenPatch = z.output<typeof tokenPatchSchema>;

/** How long the key before a rotation may be good. */
const LONGEST_GRACE_SECONDS = 7 * 86_400;

export const rotationSchema = z.strictObject({
  grace_seconds: z
    .int()
    .min(0)
    .max(LONGEST_GRACE_SECONDS)
    .default(0)
    .describe(
      'How long the old key works beside the new one; 0: it stops at once, as one of an earlier rotation does.',
    ),
});

export type Rotation = z.output<typeof rotationSchema>;

export const tokenQuerySchema = pickQuerySchema
  .extend({
    ...sortedShape('desc'),
    sort: z.enum(namesOf(TOKEN_SORTS)).default('created'),
    project_id: projectIdSchema.optional().describe('Keys of this project.'),
    user_id: z
      .uuid(REFUSALS.no_user_id)
      .optional()
      .describe('Keys of this user, among those that the caller sees.'),
  })
  .refine(hasOwnCursor(TOKEN_SORTS, z.uuid()), FOREIGN_CURSOR);

export type TokenQuery = z.output<typeof tokenQuerySchema>;

export const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    user_id: z.uuid(),
    wallet_id: z.uuid(),
    key_hint: z.string().describe('The ends of the key, to recognise it by.'),
    former_key_until: z.iso
      .datetime()
      .nullable()
      .describe('Until when the key before the last rotation works, too; null: it does not.'),
    allowed_models: z.array(z.string()).nullable(),
    allowed_ips: z.array(z.string()).nullable(),
    spending_quota: z.string().nullable(),
    used: z.string().describe('USD spent.'),
    held: z.string().describe('USD set aside for calls that run.'),
    expires_at: z.iso.datetime().nullable(),
    disabled: z.boolean(),
    disabled_by: z
      .enum(TOKEN_DISABLERS)
      .nullable()
      .describe(
        'As what somebody disabled it: whoever may less cannot enable it. null: enabled, or anybody who may change it.',
      ),
    limits: limitsSchema,
    budgets: budgetsSchema,
    cache: z.string().nullable(),
    capture: z
      .object({
        keep_seconds: z.int().describe('How long each body is kept.'),
        until: z.iso.datetime().nullable().describe('null: for as long as the configuration file says so.'),
      })
      .nullable()
      .describe('Whether bodies of its calls are kept, encrypted, for administrators to look at.'),
    default_model: z.string().nullable(),
    store_responses: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Token' });

export const tokenWithKeySchema = tokenSchema
  .extend({ key: z.string().describe('Shown here once.') })
  .meta({ id: 'TokenWithKey' });
