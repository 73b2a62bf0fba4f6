import { type CallerToken, type Catalog, GatewayError, type Model } from '@mg/contract';

interface ModelView {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  readonly kind: string;
}

/** The models that this caller may use, in the shape of OpenAI's list. */
export function listModels(caller: CallerToken, catalog: Catalog): { object: 'list'; data: ModelView[] } {
  const models = [...catalog.models.values()].filter((model) => mayUse(caller, model.slug));
  return { object: 'list', data: models.map(toView) };
}

/** One model. @throws GatewayError `model_not_found`, also for a model this caller may not use. */
export function showModel(caller: CallerToken, catalog: Catalog, slug: string): ModelView {
  const model = catalog.models.get(slug);
  if (!model || !mayUse(caller, slug)) {
    throw new GatewayError('model_not_found', 'The model does not exist.', { param: 'model' });
  }
  return toView(model);
}

function mayUse(caller: CallerToken, slug: string): boolean {
  return caller.allowedModels === undefined || caller.allowedModels.has(slug);
}

function toView(model: Model): ModelView {
  return {
    id: model.slug,
    object: 'model',
    created: Math.floor(model.createdAt / 1_000),
    owned_by: 'model-gateway',
    kind: model.kind,
  };
}
