import { REFUSALS } from '@mg/contract';
import { z } from 'zod';
import { phrasesSchema } from '../http/phrase-schema.js';
import { CHANNEL_STATES } from './channel-state.js';

const milliseconds = z.int().nullable();

const spanSchema = z.object({
  served: z.int(),
  failed: z.int(),
  success_share: z.number().nullable().describe('Of those that were served or failed; null without any.'),
  p50_ms: milliseconds.describe('Half of the whole answers were there by then.'),
  p95_ms: milliseconds,
  ttft_p50_ms: milliseconds.describe('Half of the streams had begun by then.'),
  ttft_p95_ms: milliseconds,
});

const attemptsShape = {
  state: z
    .enum(CHANNEL_STATES)
    .describe(
      'By the attempts: failing never answers, idle was not asked in the last hour, healthy answered in it.',
    ),
  hour: spanSchema,
  day: spanSchema,
  last_failure: z
    .object({
      at: z.iso.datetime(),
      status: z.int().nullable(),
      reason: z.string(),
      reason_phrases: phrasesSchema.describe('The reason, phrase by phrase.'),
    })
    .nullable()
    .describe('The latest of the last 24 hours.'),
};

export const attemptsQuerySchema = z.strictObject({
  channel_id: z.uuid(REFUSALS.no_channel_id).optional().describe('One channel alone.'),
});

export const attemptsSchema = z
  .object({
    channels: z.array(
      z.object({
        channel_id: z.uuid(),
        channel: z.string(),
        ...attemptsShape,
        parts: z
          .array(
            z.object({
              model: z.string(),
              key: z.string().nullable().describe('Hint of the key; null where the channel has none.'),
              ...attemptsShape,
            }),
          )
          .describe('By model and key; those that were asked in the last 24 hours.'),
      }),
    ),
  })
  .meta({ id: 'Attempts' });
