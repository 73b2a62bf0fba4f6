import { z } from 'zod';
import {
  ABORT_POLICIES,
  BATCH_CARRIERS,
  FALLBACK_CAUSES,
  MAX_FALLBACKS,
  MAX_TIMEOUT_MS,
  MODEL_KINDS,
  MODEL_STATES,
  PROMPT_CACHINGS,
  ROUTING_STRATEGIES,
} from './catalog.js';
import { durationSchema, positiveDurationSchema } from './durations.js';
import { budgetsSchema } from './budgets.js';
import { limitsSchema } from './limits.js';
import { allowedIpsSchema } from './network-addresses.js';
import { priceSheetSchema } from './price.js';
import { REFUSALS } from './refusals.js';

/** A name that people give to a channel, wallet, token or themselves. */
export const nameSchema = z.string().trim().min(1, REFUSALS.empty).max(128, REFUSALS.name_too_long);
export const slugSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, REFUSALS.no_slug);

/** Other names of a model, as clients hard-code them: `small-2027-*`. */
export const aliasesSchema = z
  .array(z.string().regex(/^[A-Za-z0-9*][A-Za-z0-9._:/@*-]{0,127}$/, REFUSALS.no_alias))
  .max(64);

/** An amount in USD that is not negative, as a decimal string. */
export const usdSchema = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, REFUSALS.no_amount);

/** Upstream base addresses are the operator's own business: any http(s) address, loopback included. */
export const baseUrlSchema = z.url({ protocol: /^https?$/, error: REFUSALS.no_http_address });

export const channelModelsSchema = z
  .union([z.array(slugSchema), z.record(slugSchema, z.string().min(1))], REFUSALS.no_channel_models)
  .transform((models): Record<string, string> =>
    Array.isArray(models) ? Object.fromEntries(models.map((slug) => [slug, slug])) : models,
  );

const timeLimitSchema = durationSchema.refine(
  (durationMs) => durationMs <= MAX_TIMEOUT_MS,
  REFUSALS.duration_too_long,
);

const positiveTimeSchema = positiveDurationSchema.refine(
  (durationMs) => durationMs <= MAX_TIMEOUT_MS,
  REFUSALS.duration_too_long,
);

/** How old an answer may be that is given to an equal call. */
export const cacheSchema = positiveTimeSchema;

/** How long a stream may take until its first event. */
export const firstTokenTimeoutSchema = positiveTimeSchema;

/** How long a channel is without calls before it is probed. */
export const probeSchema = timeLimitSchema.refine(
  (everyMs) => everyMs >= 60_000,
  REFUSALS.duration_too_short,
);

export const timeoutSchema = z.strictObject({
  connect: timeLimitSchema.optional(),
  first_byte: timeLimitSchema.optional(),
  idle: timeLimitSchema.optional(),
  total: timeLimitSchema.optional(),
});

/** A key alone leaves it as enabled or disabled as it is. */
const fileKeySchema = z.union(
  [z.string().min(1), z.strictObject({ key: z.string().min(1), enabled: z.boolean().optional() })],
  'must be a key, or a map with key and enabled',
);

const channelSchema = z.strictObject({
  name: nameSchema,
  type: z.string().min(1),
  base_url: baseUrlSchema.optional(),
  api_key: z.string().min(1).optional(),
  api_keys: z.array(fileKeySchema).min(1).optional(),
  models: channelModelsSchema,
  settings: z.record(z.string(), z.unknown()).optional(),
  priority: z.int().min(-1000).max(1000).optional(),
  weight: z.int().min(0).max(10_000).optional(),
  timeout: timeoutSchema.optional(),
  on_abort: z.enum(ABORT_POLICIES).optional(),
  prompt_caching: z.enum(PROMPT_CACHINGS).optional(),
  batches: z.enum(BATCH_CARRIERS).optional(),
  limits: limitsSchema.optional(),
  probe: z
    .union([probeSchema, z.literal('off')], 'must be off, or a duration such as 5m, from 1m to 24h')
    .optional(),
  enabled: z.boolean().optional(),
});

/** Most tokens that a model takes or gives; what a column of the database holds. */
export const tokenLimitSchema = z.int().min(1).max(2_147_483_647);

/** Other models that calls of a model may go to, in this order. */
export const fallbackSchema = z.array(slugSchema).max(MAX_FALLBACKS);
export const fallbackCausesSchema = z.array(z.enum(FALLBACK_CAUSES)).min(1).max(FALLBACK_CAUSES.length);

const modelSchema = z.strictObject({
  slug: slugSchema,
  kind: z.enum(MODEL_KINDS),
  state: z.enum(MODEL_STATES).optional(),
  max_output_tokens: tokenLimitSchema.optional(),
  context_window: tokenLimitSchema.optional(),
  fallback: fallbackSchema.optional(),
  fallback_on: fallbackCausesSchema.optional(),
  routing: z.enum(ROUTING_STRATEGIES).optional(),
  sticky: z.boolean().optional(),
  hedge: z.boolean().optional(),
  first_token_timeout: firstTokenTimeoutSchema.optional(),
  limits: limitsSchema.optional(),
  aliases: aliasesSchema.optional(),
  price: priceSheetSchema.optional(),
});

const walletSchema = z.strictObject({
  name: nameSchema,
  balance: usdSchema.default('0'),
  user: z.email(REFUSALS.no_email).optional(),
  credit_limit: usdSchema.optional(),
  alert_below: usdSchema.or(z.literal('default')).optional(),
  limits: limitsSchema.optional(),
  budgets: budgetsSchema.optional(),
});

const userSchema = z.strictObject({
  email: z.email(REFUSALS.no_email),
  limits: limitsSchema.optional(),
  budgets: budgetsSchema.optional(),
});

const apiKeySchema = z
  .string()
  .regex(
    /^sk-[A-Za-z0-9_-]{8,200}$/,
    'must begin with sk- and hold at least 8 letters, digits, - or _ after it',
  );

/** How long bodies are kept at most. */
export const MAX_CAPTURE_SECONDS = 7 * 86_400;

const captureSchema = durationSchema
  .transform((ms) => Math.ceil(ms / 1_000))
  .refine((seconds) => seconds >= 1 && seconds <= MAX_CAPTURE_SECONDS, REFUSALS.no_capture_duration);

const tokenSchema = z.strictObject({
  name: nameSchema,
  wallet: nameSchema,
  key: apiKeySchema.optional(),
  allowed_models: z.array(slugSchema).optional(),
  allowed_ips: allowedIpsSchema.optional(),
  spending_quota: usdSchema.optional(),
  expires_at: z.union([z.iso.datetime({ offset: true }), z.date()]).optional(),
  disabled: z.boolean().optional(),
  limits: limitsSchema.optional(),
  budgets: budgetsSchema.optional(),
  cache: z
    .union([cacheSchema, z.literal('off')], 'must be off, or a duration such as 60s, at most 24h')
    .optional(),
  capture: captureSchema.optional(),
  default_model: slugSchema.optional(),
  store_responses: z.boolean().optional(),
});

/**
 * The operator's YAML file, section 3 of the operator contract. What a row leaves out has a default when the row is
 * created and is left alone when it exists.
 */
export const configurationFileSchema = z.strictObject({
  admin: z
    .strictObject({
      email: z.email(REFUSALS.no_email),
      password: z.string().min(8, 'must be at least 8 characters long'),
    })
    .optional(),
  channels: z.array(channelSchema).default([]),
  models: z.array(modelSchema).default([]),
  users: z.array(userSchema).default([]),
  wallets: z.array(walletSchema).default([]),
  tokens: z.array(tokenSchema).default([]),
});

export type ConfigurationFile = z.output<typeof configurationFileSchema>;
