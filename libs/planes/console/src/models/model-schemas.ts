import {
  aliasesSchema,
  FALLBACK_CAUSES,
  fallbackCausesSchema,
  fallbackSchema,
  firstTokenTimeoutSchema,
  limitsSchema,
  MODEL_KINDS,
  MODEL_STATES,
  PRICE_KEYS,
  type PriceKey,
  priceSheetSchema,
  REFUSALS,
  ROUTING_STRATEGIES,
  slugSchema,
  tokenLimitSchema,
} from '@mg/contract';
import { z } from 'zod';

const fields = {
  kind: z.enum(MODEL_KINDS),
  state: z.enum(MODEL_STATES),
  max_output_tokens: tokenLimitSchema.nullable().describe('Most tokens of one answer, where known.'),
  context_window: tokenLimitSchema
    .nullable()
    .describe('Most tokens of a prompt, images and files included, where known.'),
  fallback: fallbackSchema.describe('Slugs of models that its calls may go to, in this order.'),
  fallback_on: fallbackCausesSchema.describe(
    'When: every channel failed, the prompt is too long, the content was refused.',
  ),
  routing: z.enum(ROUTING_STRATEGIES).describe('How channels of equal priority are ordered.'),
  sticky: z.boolean().describe('Whether calls of one conversation go to one channel and key.'),
  hedge: z
    .boolean()
    .describe(
      'Whether another channel is asked as well when a whole answer is late; for 2 % of calls at most.',
    ),
  first_token_timeout: firstTokenTimeoutSchema
    .nullable()
    .describe(
      'How long a stream may take until its first event, such as 20s; then the next channel is tried.',
    ),
  limits: limitsSchema.describe('Of all calls of the model; replaces the limits as a whole.'),
  aliases: aliasesSchema.describe(
    'Other names that calls may ask for it by, such as small-*; a slug comes before every alias.',
  ),
  price: priceSheetSchema.describe('USD, decimal strings. A change starts a new price version.'),
  effective_from: z.iso
    .datetime({ offset: true, error: REFUSALS.no_moment })
    .describe('When the price takes effect; at once by default.'),
};

const { kind, ...optionalFields } = fields;

export const modelCreateSchema = z.strictObject({
  slug: slugSchema,
  kind,
  ...z.object(optionalFields).partial().shape,
});

export type ModelCreate = z.output<typeof modelCreateSchema>;

export const modelPatchSchema = z.strictObject(fields).partial();

export type ModelPatch = z.output<typeof modelPatchSchema>;

const unitPricesShape = Object.fromEntries(PRICE_KEYS.map((key) => [key, z.string().optional()])) as Record<
  PriceKey,
  z.ZodOptional<z.ZodString>
>;

const ratesShape = {
  ...unitPricesShape,
  long_context: z
    .object({ above_tokens: z.int(), ...unitPricesShape })
    .optional()
    .describe('Rates of calls whose prompt has more tokens than this.'),
};

export const priceShape = z
  .object({
    ...ratesShape,
    variants: z
      .record(z.string(), z.object(unitPricesShape))
      .optional()
      .describe('Rates of their own: a resolution of video, a quality or size of images.'),
    tiers: z
      .record(z.string(), z.object(ratesShape))
      .optional()
      .describe('Rates of service tiers such as priority or flex.'),
    batch_share: z.string().optional().describe('Share of the rates that work in batches costs.'),
    cache_share: z
      .string()
      .optional()
      .describe("Share of the rates that an answer out of the gateway's cache costs; nothing when absent."),
  })
  .meta({ id: 'Price' });

export const modelSchema = z
  .object({
    slug: z.string(),
    kind: z.enum(MODEL_KINDS),
    state: z.enum(MODEL_STATES),
    max_output_tokens: z.int().nullable(),
    context_window: z.int().nullable(),
    fallback: z.array(z.string()),
    fallback_on: z.array(z.enum(FALLBACK_CAUSES)),
    routing: z.enum(ROUTING_STRATEGIES),
    sticky: z.boolean(),
    hedge: z.boolean(),
    first_token_timeout: z.string().nullable(),
    limits: limitsSchema,
    aliases: z.array(z.string()),
    priced: z
      .boolean()
      .describe('Whether the price covers a call; without it the model is refused, never free.'),
    price: priceShape.nullable(),
    price_version: z.uuid().nullable(),
    price_source: z.string().nullable(),
    effective_from: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Model' });

export const modelWithPricesSchema = modelSchema
  .extend({
    prices: z.array(
      z.object({
        id: z.uuid(),
        price: priceShape,
        source: z.string(),
        effective_from: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'ModelWithPrices' });
