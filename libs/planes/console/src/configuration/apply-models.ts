import type { ConfigurationFile } from '@mg/contract';
import type { ConsoleStore, ModelChange } from '@mg/persistence';
import { setPrice } from '../models/set-price.js';

export const FILE_PRICE_SOURCE = 'configuration file';

/** Creates or changes the models of the file; a changed price starts a new version. Answers the slugs of those that changed. */
export async function applyModels(
  store: ConsoleStore,
  models: ConfigurationFile['models'],
): Promise<string[]> {
  const changed: string[] = [];
  for (const model of models) {
    const rowChanged = await applyModel(store, model);
    const priceChanged =
      model.price !== undefined &&
      (await setPrice(store, { slug: model.slug, price: model.price, source: FILE_PRICE_SOURCE }));
    if (rowChanged || priceChanged) changed.push(model.slug);
  }
  return changed;
}

async function applyModel(store: ConsoleStore, model: ConfigurationFile['models'][number]): Promise<boolean> {
  const existing = await store.models.find(model.slug);
  if (!existing) {
    await store.models.insert({
      slug: model.slug,
      kind: model.kind,
      state: model.state ?? 'active',
      maxOutputTokens: model.max_output_tokens ?? null,
    });
    return true;
  }
  const change: ModelChange = {
    ...(model.kind === existing.kind ? {} : { kind: model.kind }),
    ...(model.state === undefined || model.state === existing.state ? {} : { state: model.state }),
    ...(model.max_output_tokens === undefined || model.max_output_tokens === existing.maxOutputTokens
      ? {}
      : { maxOutputTokens: model.max_output_tokens }),
  };
  if (Object.keys(change).length === 0) return false;
  await store.models.update(model.slug, change);
  return true;
}
