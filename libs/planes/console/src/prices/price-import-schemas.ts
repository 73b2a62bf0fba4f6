import { REFUSALS } from '@mg/contract';
import { z } from 'zod';
import { priceShape } from '../models/model-schemas.js';
import { PRICE_FILE_FORMATS } from './read-price-file.js';

export const priceImportCreateSchema = z.strictObject({
  content: z.string().min(1, REFUSALS.empty).describe('The file. Prices are USD.'),
  format: z.enum(PRICE_FILE_FORMATS),
  source: z.string().trim().max(200).default('').describe('Where the file is from; stays with each price.'),
});

export type PriceImportCreate = z.output<typeof priceImportCreateSchema>;

export const priceImportSchema = z
  .object({
    id: z.uuid(),
    source: z.string(),
    created_at: z.iso.datetime(),
    applied_at: z.iso.datetime().nullable(),
    counts: z.object({ new: z.int(), changed: z.int(), unchanged: z.int(), unknown_model: z.int() }),
    lines: z.array(
      z.object({
        slug: z.string(),
        change: z
          .enum(['new', 'changed', 'unchanged', 'unknown_model'])
          .describe('Prices of models that there are not, are left out.'),
        before: priceShape.nullable(),
        after: priceShape,
      }),
    ),
  })
  .meta({ id: 'PriceImport' });
