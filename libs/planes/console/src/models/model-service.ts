import { omitUndefined, type PriceSheet, refuse } from '@mg/contract';
import { ConsoleStore, isUniqueViolation, type ModelChange } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { addModel, nameSource, viewModel, withPlannedPrice } from './add-model.js';
import type { ModelCreate, ModelPatch } from './model-schemas.js';
import { refuseUnknownFallbacks, toRouting } from './model-routing.js';
import { setPrice } from './set-price.js';

/** A price that begins this much before now still begins now: clocks differ and requests travel. */
const CLOCK_SLACK_MS = 60_000;

/** The life of models. Prices are only ever added to: each call keeps the version it was admitted under. */
@Injectable()
export class ModelService {
  constructor(private readonly store: ConsoleStore) {}

  /** @throws GatewayError `conflict` when the slug is taken. */
  async create(caller: Caller, input: ModelCreate): Promise<void> {
    const effectiveFrom = readEffectiveFrom(input);
    try {
      await this.store.transaction(async (store) => {
        await addModel(store, caller, { input, effectiveFrom });
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'model_pkey')) throw error;
      throw refuse('conflict', 'slug_taken', { param: 'slug' });
    }
  }

  /** Changes what the input names and nothing else. */
  async change(caller: Caller, slug: string, input: ModelPatch): Promise<void> {
    const effectiveFrom = readEffectiveFrom(input);
    const change: ModelChange = omitUndefined({
      kind: input.kind,
      state: input.state,
      maxOutputTokens: input.max_output_tokens,
      contextWindow: input.context_window,
      ...toRouting(input),
      limits: input.limits,
    });
    await this.store.transaction(async (store) => {
      const before = await viewModel(store, slug);
      await refuseUnknownFallbacks(store, input);
      if (Object.keys(change).length > 0) await store.models.update(slug, change);
      if (input.price !== undefined) {
        await setPrice(store, { slug, price: input.price, source: nameSource(caller), effectiveFrom });
      }
      const after = withPlannedPrice(await viewModel(store, slug), input);
      await recordChange(store, caller, { action: 'model.change', targetId: slug, before, after });
    });
  }
}

function readEffectiveFrom(input: {
  readonly price?: PriceSheet | undefined;
  readonly effective_from?: string | undefined;
}): Date | undefined {
  if (input.effective_from === undefined) return undefined;
  if (input.price === undefined)
    throw refuse('invalid_request', 'date_without_price', { param: 'effective_from' });
  const effectiveFrom = new Date(input.effective_from);
  if (effectiveFrom.getTime() < Date.now() - CLOCK_SLACK_MS) {
    throw refuse('invalid_request', 'price_in_the_past', { param: 'effective_from' });
  }
  return effectiveFrom;
}
