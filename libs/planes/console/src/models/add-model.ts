import { type PriceSheet } from '@mg/contract';
import type { ConsoleStore } from '@mg/persistence/console';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import type { ModelCreate } from './model-schemas.js';
import { refuseUnknownFallbacks, toRouting } from './model-routing.js';
import { type ModelView, toModelView } from './model-view.js';
import { setPrice } from './set-price.js';

interface AddedModel {
  readonly input: ModelCreate;
  /** When its price begins; at once by default. */
  readonly effectiveFrom?: Date | undefined;
  /** Who says what it costs; the caller by default. */
  readonly source?: string | undefined;
}

/** Writes a new model with its price, and that somebody did, in the transaction that is open. */
export async function addModel(
  store: ConsoleStore,
  caller: Caller,
  { input, effectiveFrom, source }: AddedModel,
): Promise<void> {
  await store.models.insert({
    slug: input.slug,
    kind: input.kind,
    state: input.state ?? 'active',
    maxOutputTokens: input.max_output_tokens ?? null,
    contextWindow: input.context_window ?? null,
    ...toRouting(input),
    limits: input.limits ?? {},
  });
  await refuseUnknownFallbacks(store, input);
  const { slug, price } = input;
  if (price !== undefined) {
    await setPrice(store, { slug, price, source: source ?? nameSource(caller), effectiveFrom });
  }
  const after = withPlannedPrice(await viewModel(store, slug), input);
  await recordChange(store, caller, { action: 'model.create', targetId: slug, after });
}

/** `source` of a price that somebody sets by hand. */
export function nameSource(caller: Caller): string {
  return `console: ${caller.email}`;
}

export async function viewModel(store: ConsoleStore, slug: string): Promise<ModelView> {
  const prices = await store.models.findPricesInForce([slug]);
  return toModelView(found(await store.models.find(slug)), prices.get(slug));
}

/** A price that begins later is not the model's yet, but was set now. */
export function withPlannedPrice(
  model: ModelView,
  input: { readonly price?: PriceSheet | undefined; readonly effective_from?: string | undefined },
): object {
  if (input.effective_from === undefined) return model;
  return { ...model, planned_price: input.price, planned_from: input.effective_from };
}
