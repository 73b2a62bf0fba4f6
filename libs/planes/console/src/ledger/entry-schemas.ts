import { REFUSALS } from '@mg/contract';
import { z } from 'zod';
import { pageShapeOf } from '../http/page-query.js';
import { phrasesSchema } from '../http/phrase-schema.js';
import { moment } from '../logs/log-schemas.js';

const filterShape = {
  from: moment.optional().describe('Entries at this moment or later.'),
  to: moment.optional().describe('Entries before this moment.'),
};

/** Entries are numbered. */
export const entryQuerySchema = z.strictObject({
  ...pageShapeOf(z.string().regex(/^[0-9]{1,18}$/, REFUSALS.no_cursor)),
  ...filterShape,
});

export type EntryQuery = z.output<typeof entryQuerySchema>;

export const entryExportQuerySchema = z.strictObject(filterShape);

export type EntryExportQuery = z.output<typeof entryExportQuerySchema>;

export const entrySchema = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    kind: z.enum(['charge', 'refund', 'topup', 'adjust', 'late_charge', 'true_up', 'waste']),
    amount: z.string().describe('USD, signed: what the wallet gained.'),
    balance_after: z.string(),
    request_id: z.string().nullable(),
    task_id: z.string().nullable(),
    note: z.string(),
    note_phrases: phrasesSchema.describe('The note, phrase by phrase.'),
  })
  .meta({ id: 'LedgerEntry' });
