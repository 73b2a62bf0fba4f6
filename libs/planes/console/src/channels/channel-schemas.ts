import {
  ABORT_POLICIES,
  baseUrlSchema,
  BATCH_CARRIERS,
  channelModelsSchema,
  limitsSchema,
  nameSchema,
  probeSchema,
  PROMPT_CACHINGS,
  REFUSALS,
  slugSchema,
  timeoutSchema,
} from '@mg/contract';
import { CHANNEL_SORTS } from '@mg/persistence/console';
import { z } from 'zod';
import {
  FOREIGN_CURSOR,
  hasOwnCursor,
  namesOf,
  pageQueryShape,
  searchShape,
  sortedShape,
} from '../http/page-query.js';
import { phrasesSchema } from '../http/phrase-schema.js';
import { uncallableModelSchema } from './uncallable-models.js';

export const channelQuerySchema = z
  .strictObject({
    ...pageQueryShape,
    ...searchShape,
    ...sortedShape('desc'),
    sort: z.enum(namesOf(CHANNEL_SORTS)).default('created'),
  })
  .refine(hasOwnCursor(CHANNEL_SORTS, z.uuid()), FOREIGN_CURSOR);

export type ChannelQuery = z.output<typeof channelQuerySchema>;
/** Keys of one channel. */
export const MOST_KEYS = 100;

const apiKey = z.string().min(1, REFUSALS.empty).max(4_096);

const fields = {
  name: nameSchema,
  type: z.string().min(1, REFUSALS.empty).describe('A provider: openai, openai-compatible, ...'),
  base_url: baseUrlSchema
    .nullable()
    .describe("The upstream's address; null where the type has a well-known one."),
  api_key: apiKey.describe('Write-only.'),
  api_keys: z.array(apiKey).min(1).max(MOST_KEYS).describe('Used in turn; write-only.'),
  models: channelModelsSchema.describe(
    "Public slug to the upstream's model name; a list means the same names.",
  ),
  settings: z
    .record(z.string(), z.unknown())
    .describe('By type. Secret ones are write-only: kept when left out, removed by null.'),
  priority: z.int().min(-1_000).max(1_000).describe('Higher is tried first.'),
  weight: z.int().min(0).max(10_000).describe('Share among channels of equal priority.'),
  timeout: timeoutSchema,
  on_abort: z
    .enum(ABORT_POLICIES)
    .nullable()
    .describe('What happens to a whole answer whose caller has left; null is the default of the type.'),
  prompt_caching: z
    .enum(PROMPT_CACHINGS)
    .describe("Whether prompts are marked for the provider's cache where the caller marked nothing."),
  batches: z
    .enum(BATCH_CARRIERS)
    .describe(
      'Who carries out lines of batches: the gateway as calls, or the provider as its own batches (`native`, where `native_batches` of its type says so).',
    ),
  limits: limitsSchema.describe("The provider's own, which the gateways keep; replaces them as a whole."),
  probe: probeSchema
    .nullable()
    .describe('A tiny call is made when the channel had no calls for so long, such as 5m; null for none.'),
  enabled: z.boolean(),
};

const { name, type, models, ...optionalFields } = fields;

export const channelCreateSchema = z.strictObject({
  name,
  type,
  models: models.default({}),
  ...z.object(optionalFields).partial().shape,
});

export type ChannelCreate = z.output<typeof channelCreateSchema>;

const { type: _type, ...changeable } = fields;

export const channelPatchSchema = z.strictObject(changeable).partial();

export const channelKeySchema = z.strictObject({ api_key: apiKey.describe('Write-only.') });

export type ChannelKey = z.output<typeof channelKeySchema>;

export const channelKeyPatchSchema = z.strictObject({ enabled: z.boolean() });

export type ChannelKeyPatch = z.output<typeof channelKeyPatchSchema>;

export type ChannelPatch = z.output<typeof channelPatchSchema>;

export const channelTestSchema = z
  .strictObject({
    model: slugSchema.optional().describe("One of the channel's models; its first by default."),
    name: z
      .string()
      .min(1, REFUSALS.empty)
      .max(200)
      .optional()
      .describe("In place of model: the provider's name of a model, which the channel need not serve yet."),
  })
  .refine(({ model, name }) => model === undefined || name === undefined, {
    path: ['name'],
    message: REFUSALS.beside_model,
  })
  .meta({ not: { required: ['model', 'name'] } });

export type ChannelTestRequest = z.output<typeof channelTestSchema>;

export const channelSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: z.string(),
    base_url: z.string().nullable(),
    key_hints: z.array(z.string()),
    keys: z
      .array(
        z.object({
          id: z
            .string()
            .nullable()
            .describe(
              'To remove it by: "main" for the first key, else an id; null for one of several that were given as one list.',
            ),
          ref: z
            .string()
            .describe('To enable and disable it by: its id, or "main.0", "main.1", ... of one list.'),
          hint: z.string().describe('The end of the key, to recognise it by.'),
          enabled: z
            .boolean()
            .describe(
              'false: nothing new is begun with it; a channel whose keys are all disabled serves nothing.',
            ),
        }),
      )
      .describe('In the order of their use, by turns.'),
    models: z.record(z.string(), z.string()),
    settings: z.record(z.string(), z.unknown()),
    secret_settings: z.array(z.string()).describe('Names of the secret settings that are set.'),
    priority: z.int(),
    weight: z.int(),
    timeout: z.object({
      connect: z.string().optional(),
      first_byte: z.string().optional(),
      idle: z.string().optional(),
      total: z.string().optional(),
    }),
    on_abort: z.enum(ABORT_POLICIES).nullable(),
    probe: z.string().nullable(),
    prompt_caching: z.enum(PROMPT_CACHINGS),
    batches: z.enum(BATCH_CARRIERS),
    limits: limitsSchema,
    enabled: z.boolean(),
    uncallable_models: z
      .array(uncallableModelSchema)
      .describe('Models of it that callers are refused: without a row, disabled or without a price.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Channel' });

export const channelTestAnswerSchema = z
  .object({
    ok: z.boolean(),
    latency_ms: z.int(),
    status: z.int().nullable(),
    message: z.string(),
    message_phrases: phrasesSchema.optional().describe('What went wrong, phrase by phrase.'),
    refused_because: z
      .enum(['unknown', 'disabled', 'unpriced', 'channel_disabled', 'not_served'])
      .optional()
      .describe('Why calls to the tested model would not get here, whatever the upstream answered.'),
  })
  .meta({ id: 'ChannelTest' });
