import { type ConfigurationFile, omitUndefined, type PriceSheet } from '@mg/contract';
import type { ConsoleStore, ModelChange, ModelRow } from '@mg/persistence/console';
import { findDifferences } from '../changes/find-differences.js';
import { toRouting } from '../models/model-routing.js';
import { isSamePrice, setPrice } from '../models/set-price.js';

const FILE_PRICE_SOURCE = 'configuration file';

type FileModel = ConfigurationFile['models'][number];

/** Creates or changes the models of the file; a changed price starts a new version. Answers the slugs of those that changed. */
export async function applyModels(store: ConsoleStore, models: readonly FileModel[]): Promise<string[]> {
  const slugs = models.map(({ slug }) => slug);
  // Read all at once: most of a long file is as it was, and whoever changed a line waits for the whole.
  const rows = await store.models.findAll(slugs);
  const prices = await store.models.findPricesInForce(slugs);
  const changed: string[] = [];
  for (const model of models) {
    const rowChanged = await applyModel(store, model, rows.get(model.slug));
    const priceChanged = await applyPrice(store, model, prices.get(model.slug)?.price);
    if (rowChanged || priceChanged) changed.push(model.slug);
  }
  return changed;
}

async function applyPrice(
  store: ConsoleStore,
  { slug, price }: FileModel,
  inForce: PriceSheet | undefined,
): Promise<boolean> {
  if (price === undefined || (inForce && isSamePrice(inForce, price))) return false;
  return setPrice(store, { slug, price, source: FILE_PRICE_SOURCE });
}

async function applyModel(
  store: ConsoleStore,
  model: FileModel,
  existing: ModelRow | undefined,
): Promise<boolean> {
  if (!existing) {
    await store.models.insert({
      slug: model.slug,
      kind: model.kind,
      state: model.state ?? 'active',
      maxOutputTokens: model.max_output_tokens ?? null,
      contextWindow: model.context_window ?? null,
      ...toRouting(model),
      limits: model.limits ?? {},
    });
    return true;
  }
  const wanted = omitUndefined({
    kind: model.kind,
    state: model.state,
    maxOutputTokens: model.max_output_tokens,
    contextWindow: model.context_window,
    ...toRouting(model),
    limits: model.limits,
  });
  const change: ModelChange = findDifferences(existing, wanted);
  if (Object.keys(change).length === 0) return false;
  await store.models.update(model.slug, change);
  return true;
}
