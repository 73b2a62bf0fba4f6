import { budgetsSchema, limitsSchema, nameSchema, REFUSALS, usdSchema } from '@mg/contract';
import { WALLET_SORTS } from '@mg/persistence/console';
import { z } from 'zod';
import { FOREIGN_CURSOR, hasOwnCursor, namesOf, pickQuerySchema, sortedShape } from '../http/page-query.js';
import { entrySchema } from '../ledger/entry-schemas.js';

export const walletQuerySchema = pickQuerySchema
  .extend({
    ...sortedShape('desc'),
    sort: z.enum(namesOf(WALLET_SORTS)).default('created'),
    user_id: z
      .uuid(REFUSALS.no_user_id)
      .optional()
      .describe('Wallets of this user, among those that the caller sees.'),
  })
  .refine(hasOwnCursor(WALLET_SORTS, z.uuid()), FOREIGN_CURSOR);

export type WalletQuery = z.output<typeof walletQuerySchema>;

export const walletSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    user_id: z.uuid().nullable().describe("The user whose wallet it is; null for an operator's wallet."),
    balance: z.string().describe('USD.'),
    held: z.string().describe('USD set aside for calls that run.'),
    credit_limit: z.string().describe('USD that the wallet may go below zero.'),
    available: z
      .string()
      .describe('USD that new calls can be admitted on: balance plus credit limit less held.'),
    limits: limitsSchema,
    budgets: budgetsSchema,
    alert_below: z
      .string()
      .nullable()
      .describe(
        'USD, credit limit included, below which operators are alerted; null: as the alert rule says.',
      ),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Wallet' });

export const walletTotalsSchema = z
  .object({
    count: z.int(),
    balance: z.string().describe('USD.'),
    held: z.string(),
    available: z.string(),
  })
  .meta({ id: 'WalletTotals' });

export const walletChangeSchema = z
  .strictObject({
    credit_limit: usdSchema.describe('USD that the wallet may go below zero; 0 for a prepaid one.'),
    limits: limitsSchema.describe('Of all calls that it pays; replaces the limits as a whole.'),
    budgets: budgetsSchema.describe('Of all calls that it pays; replaces the budgets as a whole.'),
    alert_below: usdSchema
      .nullable()
      .describe(
        'USD, credit limit included, below which operators are alerted; null for that of the alert rule.',
      ),
  })
  .partial();

export type WalletChange = z.output<typeof walletChangeSchema>;

export const walletCreateSchema = walletChangeSchema.extend({
  name: nameSchema,
  user_id: z
    .uuid(REFUSALS.no_user_id)
    .nullish()
    .describe("Whose wallet it is; by default, and for null, the operator's."),
});

export type WalletCreate = z.output<typeof walletCreateSchema>;

export const topUpSchema = z.strictObject({
  amount: z
    .string()
    .regex(/^-?\d{1,9}(\.\d{1,9})?$/, REFUSALS.no_amount)
    .regex(/[1-9]/, REFUSALS.zero)
    .describe('USD; a negative amount takes money out.'),
  note: z.string().trim().max(500).default(''),
  idempotency_key: z.string().min(1).max(128).describe('The same key credits once.'),
});

export type TopUpRequest = z.output<typeof topUpSchema>;

export const topUpAnswerSchema = z.object({ entry: entrySchema, balance: z.string() });
