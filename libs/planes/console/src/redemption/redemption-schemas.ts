import { REFUSALS, usdSchema } from '@mg/contract';
import { z } from 'zod';
import { entrySchema } from '../ledger/entry-schemas.js';

const MOST_CODES = 1_000;

export const batchCreateSchema = z.strictObject({
  amount: usdSchema.regex(/[1-9]/, REFUSALS.zero).describe('Value of each code in USD.'),
  count: z.int().min(1).max(MOST_CODES),
  note: z.string().trim().max(200).default('').describe('Shown in the ledger of who redeems.'),
  expires_at: z.iso.datetime({ offset: true, error: REFUSALS.no_moment }).nullable().default(null),
});

export type BatchCreate = z.output<typeof batchCreateSchema>;

export const batchPatchSchema = z.strictObject({
  disabled: z.boolean().describe('Codes of a disabled batch cannot be redeemed; those that were stay so.'),
});

export type BatchPatch = z.output<typeof batchPatchSchema>;

export const batchSchema = z
  .object({
    id: z.uuid(),
    amount: z.string(),
    count: z.int(),
    redeemed: z.int(),
    note: z.string(),
    expires_at: z.iso.datetime().nullable(),
    disabled: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CodeBatch' });

export const batchWithCodesSchema = batchSchema
  .extend({
    codes: z.array(z.string()).describe('Shown here once.'),
  })
  .meta({ id: 'CodeBatchWithCodes' });

export const codeSchema = z
  .object({
    id: z.uuid(),
    hint: z.string().describe('The end of the code.'),
    wallet_id: z.uuid().nullable(),
    claimed_by: z.uuid().nullable(),
    claimed_at: z.iso.datetime().nullable(),
    credited_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RedemptionCode' });

export const redeemSchema = z.strictObject({
  code: z.string().min(1).max(64),
  wallet_id: z.uuid(REFUSALS.no_wallet_id).optional().describe('Your first wallet by default.'),
});

export type RedeemRequest = z.output<typeof redeemSchema>;

export const redeemAnswerSchema = z.object({ entry: entrySchema, balance: z.string() });
