import { TASK_STATES } from '@mg/contract';
import { TASK_SORTS } from '@mg/persistence/console';
import { z } from 'zod';
import { FOREIGN_CURSOR, hasOwnCursor, namesOf, pageQueryShape, sortedShape } from '../http/page-query.js';
import { phrasesSchema } from '../http/phrase-schema.js';
import { projectIdSchema } from '../projects/project-schemas.js';

export const taskQuerySchema = z
  .strictObject({
    ...pageQueryShape,
    ...sortedShape('desc'),
    sort: z.enum(namesOf(TASK_SORTS)).default('created'),
    state: z.enum(TASK_STATES).optional(),
    model: z.string().max(128).optional(),
    token_id: z.uuid().optional(),
    project_id: projectIdSchema.optional().describe('Tasks that this project pays for.'),
  })
  .refine(hasOwnCursor(TASK_SORTS, z.uuid()), FOREIGN_CURSOR);

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
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        message_phrases: phrasesSchema.describe('The message, phrase by phrase.'),
      })
      .nullable(),
  })
  .meta({ id: 'VideoTask' });

export const contentLinkSchema = z
  .object({
    url: z
      .string()
      .describe(
        "On this server, for players; it works while the caller's session does and the caller may see the task.",
      ),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'ContentLink' });

export const linkQuerySchema = z.strictObject({
  token: z.string().max(2_048).optional(),
});

export type LinkQuery = z.output<typeof linkQuerySchema>;

export const taskWithHistorySchema = taskSchema
  .extend({
    history: z.array(
      z.object({
        at: z.iso.datetime(),
        state: z.enum(TASK_STATES),
        note: z.string().describe('Shown to administrators only.'),
        note_phrases: phrasesSchema.describe('The note, phrase by phrase.'),
      }),
    ),
  })
  .meta({ id: 'VideoTaskWithHistory' });
