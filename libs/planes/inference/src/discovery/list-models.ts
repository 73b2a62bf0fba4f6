import {
  type CallerToken,
  type Catalog,
  GatewayError,
  type Model,
  type ModelKind,
  omitUndefined,
  priceAt,
  type PriceSheet,
  writePrice,
} from '@mg/contract';
import { resolveModel } from '../call/resolve-model.js';

interface ModelView {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  readonly kind: string;
  /** Unit prices in USD as decimal strings; `null` when nobody has set one and the model is refused. */
  readonly price: PriceSheet | null;
}

/** The models that this caller may use, in the shape of OpenAI's list. */
export function listModels(caller: CallerToken, catalog: Catalog): { object: 'list'; data: ModelView[] } {
  return { object: 'list', data: modelsOf(caller, catalog).map(toView) };
}

/** One model. @throws GatewayError `model_not_found`, also for a model this caller may not use. */
export function showModel(caller: CallerToken, catalog: Catalog, slug: string): ModelView {
  return toView(findUsable(caller, catalog, slug));
}

/** The same list for clients of Anthropic's protocol, who ask at the same path. */
export function listAnthropicModels(caller: CallerToken, catalog: Catalog) {
  const data = modelsOf(caller, catalog).map(toAnthropicView);
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

/** One model for clients of Anthropic's protocol. */
export function showAnthropicModel(caller: CallerToken, catalog: Catalog, slug: string) {
  return toAnthropicView(findUsable(caller, catalog, slug));
}

/** The same list for clients of Google's protocol. */
export function listGeminiModels(caller: CallerToken, catalog: Catalog) {
  return { models: modelsOf(caller, catalog).map(toGeminiView) };
}

export function showGeminiModel(caller: CallerToken, catalog: Catalog, slug: string) {
  return toGeminiView(findUsable(caller, catalog, slug));
}

function modelsOf(caller: CallerToken, catalog: Catalog): Model[] {
  return [...catalog.models.values()].filter((model) => mayUse(caller, model.slug));
}

function findUsable(caller: CallerToken, catalog: Catalog, slug: string): Model {
  const model = resolveModel(catalog, slug);
  if (model && mayUse(caller, model.slug)) return model;
  throw new GatewayError('model_not_found', 'The model does not exist.', { param: 'model' });
}

function mayUse(caller: CallerToken, slug: string): boolean {
  return caller.allowedModels === undefined || caller.allowedModels.has(slug);
}

function toView(model: Model): ModelView {
  const pinned = priceAt(model, Date.now());
  return {
    id: model.slug,
    object: 'model',
    created: Math.floor(model.createdAt / 1_000),
    owned_by: 'model-gateway',
    kind: model.kind,
    price: pinned ? writePrice(pinned.price) : null,
  };
}

function toAnthropicView(model: Model) {
  return {
    type: 'model',
    id: model.slug,
    display_name: model.slug,
    created_at: new Date(model.createdAt).toISOString(),
  };
}

const GEMINI_METHODS: Partial<Record<ModelKind, readonly string[]>> = {
  chat: ['generateContent', 'countTokens', 'batchGenerateContent'],
  embedding: ['embedContent', 'batchEmbedContents', 'asyncBatchEmbedContent'],
  image: ['generateContent'],
};

function toGeminiView(model: Model) {
  return omitUndefined({
    name: `models/${model.slug}`,
    displayName: model.slug,
    supportedGenerationMethods: GEMINI_METHODS[model.kind] ?? [],
    outputTokenLimit: model.maxOutputTokens,
  });
}
