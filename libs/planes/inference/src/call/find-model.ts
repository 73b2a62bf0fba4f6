import { type CallerToken, type Catalog, GatewayError, type Model, type ModelKind } from '@mg/contract';

/**
 * The model behind a slug, if this caller may use it for this kind of call.
 *
 * @throws GatewayError `model_not_found` or `model_not_allowed`.
 */
export function findModel(catalog: Catalog, caller: CallerToken, slug: string, kind: ModelKind): Model {
  const model = catalog.models.get(slug);
  if (!model || model.kind !== kind) {
    throw new GatewayError(
      'model_not_found',
      model
        ? `The model ${quote(slug)} is of kind ${model.kind}; this endpoint serves ${kind} models.`
        : `The model ${quote(slug)} does not exist.`,
      { param: 'model' },
    );
  }
  if (caller.allowedModels && !caller.allowedModels.has(slug)) {
    throw new GatewayError('model_not_allowed', `This API key may not use the model ${quote(slug)}.`, {
      param: 'model',
    });
  }
  return model;
}

/** A name that came from outside, safe to show: one line, bounded, no control characters. */
function quote(slug: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  return `"${slug.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029"]/g, '?').slice(0, 128)}"`;
}
