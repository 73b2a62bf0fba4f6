import { TASK_STATES } from '@mg/contract';
import { z } from 'zod';
import { pageQueryShape } from '../http/page-query.js';
import { projectIdSchema } from '../projects/project-schemas.js';

export const taskQuerySchema = z.strictObject({
  ...pageQueryShape,
  state: z.enum(TASK_STATES).optional(),
  model: z.string().max(128).optional(),
  token_id: z.uuid().optional(),
  project_id: projectIdSchema.optional().describe('Tasks that this project pays for.'),
});

export type TaskQuery = z.output<typeof taskQuerySchema>;

export const taskSchema = z
  .object({
    id: z.uuid().describe('Also the request id of the call that made it, in the log and in the ledger.'),
    public_id: z.string().describe('The id that the API gives to its callers.'),
    created_at: z.iso.datetime(),
    submitted_at: z.iso.datetime().nullable().describe('When a provider took it.'),
    finished_at: z.iso.datetime().nullable(),
    deadline_at: z.iso.datetime().describe('Unfinished by then, it expires and is refunded.'),
    state: z.enum(TASK_STATES),
    api: z.enum(['generic', 'native']).describe('Which of the two video APIs created it.'),
    user_id: z.uuid(),
    token_id: z.uuid(),
    wallet_id: z.uuid(),
    model: z.string(),
    channel: z.string().nullable().describe('Shown to administrators only.'),
    upstream_model: z.string().nullable().describe('Shown to administrators only.'),
    upstream_id: z.string().nullable().describe("The provider's id of it. Shown to administrators only."),
    seconds: z.int().describe('Seconds ordered.'),
    price_variant: z.string().nullable(),
    price_version: z.uuid(),
    amount: z.string().describe('USD held for it at first.'),
    charged: z
      .string()
      .nullable()
      .describe('USD charged for it; null until a provider takes it, 0 once refunded.'),
    progress: z.int().nullable().describe('From 0 to 100, where the provider reports it.'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'VideoTask' });

export const taskWithHistorySchema = taskSchema
  .extend({
    history: z.array(
      z.object({
        at: z.iso.datetime(),
        state: z.enum(TASK_STATES),
        note: z.string().describe('Shown to administrators only.'),
      }),
    ),
  })
  .meta({ id: 'VideoTaskWithHistory' });
