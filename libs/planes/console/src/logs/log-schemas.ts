import { parseUsd, REFUSALS, type UsageRow, usdSchema } from '@mg/contract';
import { ERROR_CLASSES, LOG_ORDERS, MOST_KEYS, USAGE_BUCKETS, USAGE_GROUPS } from '@mg/persistence/console';
import { z } from 'zod';
import { pageQueryShape } from '../http/page-query.js';
import { phrasesSchema } from '../http/phrase-schema.js';
import { projectIdSchema } from '../projects/project-schemas.js';

export const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], REFUSALS.no_moment)
  .transform((text) => new Date(text));

const flag = z.enum(['true', 'false'], REFUSALS.not_a_boolean).transform((text) => text === 'true');

/** What a column of the database holds. */
const MOST_LATENCY_MS = 2_147_483_647;

const filterShape = {
  from: moment.optional().describe('Calls at this moment or later.'),
  to: moment.optional().describe('Calls before this moment.'),
  token_id: z.uuid().optional(),
  model: z.string().max(128).optional(),
  status: z.coerce.number().int().min(100).max(599).optional().describe('HTTP status of the answer.'),
  endpoint: z.string().max(128).optional(),
  channel: z
    .string()
    .max(128)
    .optional()
    .describe('Calls that this channel answered, or was tried for. For administrators.'),
  error_code: z.string().max(64).optional(),
  stream: flag.optional(),
  failed: flag.optional().describe('true: errors alone; false: successes alone.'),
  error_class: z
    .enum(ERROR_CLASSES)
    .optional()
    .describe('client: errors of 4xx alone; server: those of 5xx alone.'),
  user_id: z
    .uuid()
    .optional()
    .describe('Calls of this user; members see their own alone, or those of a project that shows them all.'),
  failed_over: flag
    .optional()
    .describe('Whether more than one channel, or key of one, was asked. For administrators.'),
  min_cost: usdSchema.transform(parseUsd).optional().describe('USD that a call cost at least.'),
  min_latency_ms: z.coerce.number().int().min(0).max(MOST_LATENCY_MS).optional(),
  request_id: z.uuid().optional(),
  project_id: projectIdSchema.optional().describe('Calls that this project pays for.'),
};

export const logQuerySchema = z
  .strictObject({
    ...pageQueryShape,
    ...filterShape,
    sort: z
      .enum(LOG_ORDERS)
      .default('newest')
      .describe(
        'cost and latency: the dearest and the slowest of the newest 100,000 calls that the filters leave, in one page.',
      ),
  })
  .refine(({ sort, cursor }) => sort === 'newest' || cursor === undefined, {
    path: ['cursor'],
    message: REFUSALS.cursor_beside_sort,
  });

export type LogQuery = z.output<typeof logQuerySchema>;

export const logExportQuerySchema = z.strictObject(filterShape);

export type LogExportQuery = z.output<typeof logExportQuerySchema>;

const attemptSchema = z
  .object({
    channel: z.string(),
    outcome: z.string(),
    status: z.int().nullable(),
    latency_ms: z.number(),
    reason: z.string(),
    reason_phrases: phrasesSchema.describe('The reason, phrase by phrase.'),
  })
  .meta({ id: 'CallAttempt' });

export const logSchema = z
  .object({
    request_id: z.uuid(),
    created_at: z.iso.datetime(),
    token_id: z.uuid(),
    token_name: z.string(),
    model: z.string(),
    asked_model: z
      .string()
      .nullable()
      .describe('What the call named, where an alias or the default of its key led to the model.'),
    endpoint: z.string(),
    channel: z.string().nullable().describe('Shown to administrators only.'),
    status: z.int(),
    error_code: z.string().nullable(),
    error_message: z.string().nullable().describe('The error message that the caller got.'),
    error_phrases: phrasesSchema.describe('That message, phrase by phrase.'),
    stream: z.boolean(),
    latency_ms: z.int(),
    ttft_ms: z.int().nullable(),
    usage: z.object({
      input_tokens: z.int(),
      cached_input_tokens: z.int(),
      cache_write_tokens: z.int(),
      cache_write_1h_tokens: z.int().describe('Part of cache_write_tokens.'),
      output_tokens: z.int(),
      reasoning_tokens: z.int(),
      images: z.int(),
      seconds: z.int(),
      characters: z.int().optional(),
      image_input_tokens: z.int().optional().describe('Part of input_tokens.'),
      audio_input_tokens: z.int().optional().describe('Part of input_tokens.'),
      image_output_tokens: z.int().optional().describe('Part of output_tokens.'),
      audio_output_tokens: z.int().optional().describe('Part of output_tokens.'),
      web_searches: z.int().optional().describe('Searches of the web that the provider made.'),
      file_searches: z.int().optional(),
      code_sessions: z.int().optional().describe('Containers that the provider ran code in.'),
      tier: z.string().optional().describe('Service tier that the provider served the call by.'),
      variant: z.string().optional(),
      from_cache: z.literal(true).optional().describe('The answer was repeated out of the response cache.'),
    } satisfies Record<keyof UsageRow, z.ZodType>),
    cost: z.string().describe('USD charged.'),
    estimated: z.boolean(),
    reason: z.string(),
    lines: z
      .array(
        z.object({ meter: z.string(), quantity: z.number(), unit_price: z.string(), amount: z.string() }),
      )
      .describe('How the cost came about: the amounts sum to it.'),
    attempts: z.array(attemptSchema).describe('Shown to administrators only; empty for members.'),
    price_version: z.uuid().nullable(),
  })
  .meta({ id: 'LoggedCall' });

export const usageQuerySchema = z.strictObject({
  group_by: z
    .enum(USAGE_GROUPS)
    .default('day')
    .describe(
      'all: one sum of everything. By channel: for administrators; by user: for them, and with project_id for owners and viewers.',
    ),
  from: moment.optional().describe('30 days ago by default.'),
  to: moment.optional().describe('Now by default.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST_KEYS)
    .default(MOST_KEYS)
    .describe('Keys at most, most expensive first.'),
  project_id: projectIdSchema.optional().describe('Calls that this project pays for.'),
});

export type UsageQuery = z.output<typeof usageQuerySchema>;

const sumShape = {
  calls: z.int(),
  errors: z.int().describe('Calls whose answer had a status of 400 or above.'),
  client_errors: z
    .int()
    .describe(
      'Part of errors: those of 4xx, for what the caller sent, may do or did not wait for. Errors that were summed before migration 0083 are in neither part.',
    ),
  server_errors: z
    .int()
    .describe('Part of errors: those of 5xx, by providers or the gateway, which no caller can mend.'),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cached_input_tokens: z
    .int()
    .describe('Part of input_tokens; calls before the version that counts it have none.'),
  cost: z.string(),
  latency_p50_ms: z.int().nullable(),
  latency_p95_ms: z.int().nullable(),
  ttft_p50_ms: z.int().nullable().describe('Time to the first token of streams.'),
};

export const usageSchema = z.object({
  data: z.array(z.object({ key: z.string(), label: z.string(), ...sumShape }).meta({ id: 'UsageSum' })),
});

export const seriesQuerySchema = z.strictObject({
  bucket: z.enum(USAGE_BUCKETS).default('day'),
  from: moment
    .optional()
    .describe(
      'By default 30 days before `to`, one day for hours. The first hour or day is the one that contains it, and is whole.',
    ),
  to: moment
    .optional()
    .describe(
      'Now by default. The last hour or day is the one that ends with it or contains it, and is whole.',
    ),
  model: z.string().max(128).optional(),
  token_id: z.uuid().optional(),
  channel: z.string().max(128).optional().describe('For administrators.'),
  project_id: projectIdSchema.optional().describe('Calls that this project pays for.'),
});

export type SeriesQuery = z.output<typeof seriesQuerySchema>;

export const seriesSchema = z.object({
  data: z.array(
    z
      .object({ at: z.iso.datetime().describe('Start of the hour or day, in UTC.'), ...sumShape })
      .meta({ id: 'UsagePoint' }),
  ),
});
