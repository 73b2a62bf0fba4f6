import type { FallbackCause, Limits, ModelKind, ModelState, PriceSheet, RoutingStrategy } from '@mg/contract';
import { EntitySchema } from 'typeorm';
import { createdAtColumn } from './column-types.js';

export interface ModelRow {
  slug: string;
  kind: ModelKind;
  state: ModelState;
  maxOutputTokens: number | null;
  contextWindow: number | null;
  /** Slugs of models that its calls may go to, in this order. */
  fallback: string[];
  fallbackOn: FallbackCause[];
  routing: RoutingStrategy;
  sticky: boolean;
  /** Whether another channel is asked as well when a whole answer is late. */
  hedge: boolean;
  firstTokenTimeoutMs: number | null;
  limits: Limits;
  /** Other names that calls may ask for it by, and patterns of names. */
  aliases: string[];
  createdAt: Date;
  updatedAt: Date;
}

export const ModelEntity = new EntitySchema<ModelRow>({
  name: 'model',
  columns: {
    slug: { type: 'text', primary: true },
    kind: { type: 'text' },
    state: { type: 'text' },
    maxOutputTokens: { name: 'max_output_tokens', type: 'integer', nullable: true },
    contextWindow: { name: 'context_window', type: 'integer', nullable: true },
    fallback: { type: 'text', array: true },
    fallbackOn: { name: 'fallback_on', type: 'text', array: true },
    routing: { type: 'text' },
    sticky: { type: 'boolean' },
    hedge: { type: 'boolean' },
    firstTokenTimeoutMs: { name: 'first_token_timeout_ms', type: 'integer', nullable: true },
    limits: { type: 'jsonb' },
    aliases: { type: 'text', array: true },
    createdAt: createdAtColumn(),
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
  },
});

/** A model's price from a moment on. Rows are only ever added. */
export interface PriceVersionRow {
  id: string;
  modelSlug: string;
  /** Decimal USD strings. */
  price: PriceSheet;
  /** Who set it: the configuration file, a data package with its date, or a user of the Console. */
  source: string;
  effectiveFrom: Date;
  createdAt: Date;
}

export const PriceVersionEntity = new EntitySchema<PriceVersionRow>({
  name: 'price_version',
  columns: {
    id: { type: 'uuid', primary: true },
    modelSlug: { name: 'model_slug', type: 'text' },
    price: { type: 'jsonb' },
    source: { type: 'text' },
    effectiveFrom: { name: 'effective_from', type: 'timestamptz' },
    createdAt: createdAtColumn(),
  },
});
