import { MODEL_KINDS, priceSheetSchema, REFUSALS, slugSchema, tokenLimitSchema } from '@mg/contract';
import { z } from 'zod';
import { phrasesSchema } from '../http/phrase-schema.js';
import { priceShape } from '../models/model-schemas.js';

const MOST_ADDED = 500;

/** What a channel's provider offers, and what a model of it would begin with. */
export const offeredModelsSchema = z
  .object({
    source: z
      .enum(['provider', 'known'])
      .describe("Whose list it is: the provider's own answer, or the models that this version knows."),
    status: z.int().nullable().describe('Of the answer, where the provider was asked and answered.'),
    message: z.string().describe('What came of asking the provider.'),
    message_phrases: phrasesSchema.describe('The message, phrase by phrase.'),
    models: z.array(
      z.object({
        name: z.string().describe("The provider's name of it."),
        slug: z.string().describe('What callers would name it by.'),
        kind: z.enum(MODEL_KINDS).describe('Of lists that do not say, by its name.'),
        state: z
          .enum(['new', 'added', 'unpriced', 'served'])
          .describe(
            'new: there is no model of this slug; unpriced: there is, without a price; added: there is; served: by this channel already.',
          ),
        price: priceShape.nullable().describe('In force, else published; null where none is known.'),
        price_source: z.string().nullable().describe('Where the price is from, with its date.'),
        context_window: z.int().nullable(),
        max_output_tokens: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'OfferedModels' });

export type OfferedModels = z.output<typeof offeredModelsSchema>;

const addedModelSchema = z.strictObject({
  name: z.string().min(1, REFUSALS.empty).max(200).describe("The provider's name of it."),
  slug: slugSchema.describe('What callers name it by.'),
  kind: z.enum(MODEL_KINDS).describe('Of a model that there is not yet.'),
  price: priceSheetSchema.optional().describe('Of a model that has none in force; others keep theirs.'),
  context_window: tokenLimitSchema.nullable().optional(),
  max_output_tokens: tokenLimitSchema.nullable().optional(),
});

export type AddedModel = z.output<typeof addedModelSchema>;

export const addModelsSchema = z.strictObject({
  models: z.array(addedModelSchema).min(1, REFUSALS.no_model_named).max(MOST_ADDED),
  enabled: z.boolean().optional().describe('Switches the channel on or off as well.'),
});

export type AddModels = z.output<typeof addModelsSchema>;
