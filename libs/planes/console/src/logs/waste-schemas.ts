import { WASTE_REASONS } from '@mg/contract';
import { z } from 'zod';
import { moment } from './log-schemas.js';

export const wasteQuerySchema = z.strictObject({
  from: moment.optional().describe('By default 30 days before `to`.'),
  to: moment.optional().describe('Now by default.'),
});

export type WasteQuery = z.output<typeof wasteQuerySchema>;

const totalsShape = {
  calls: z.int(),
  attempts: z.int(),
  cost: z.string().describe('What the attempts cost us upstream, as an estimate.'),
};

export const wasteSchema = z.object({
  data: z.array(
    z
      .object({
        channel: z.string().describe('Empty where it is not known: the gateway was killed in mid-call.'),
        reason: z.enum(WASTE_REASONS),
        ...totalsShape,
        spend: z.string().describe('What callers paid for calls of the channel in the same time.'),
      })
      .meta({ id: 'WasteSum' }),
  ),
  total: z
    .object({ ...totalsShape, spend: z.string().describe('What callers paid for all calls.') })
    .meta({ id: 'WasteTotal' }),
});
