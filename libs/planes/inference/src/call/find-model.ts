import { type CallerToken, type Catalog, GatewayError, type Model, type ModelKind } from '@mg/contract';
import { resolveModel } from './resolve-model.js';

/**
 * The model that a call names, by its slug or an alias, or else the default of its key; if this caller may use it for this
 * kind of call. What a key may use is a matter of slugs, whatever name led there.
 *
 * @throws GatewayError `model_not_found` or `model_not_allowed`.
 */
export function findModel(catalog: Catalog, caller: CallerToken, name: string, kind: ModelKind): Model {
  const model = resolveModel(catalog, name, kind) ?? findDefault(catalog, caller, kind);
  if (!model || model.kind !== kind) {
    throw new GatewayError(
      'model_not_found',
      model
        ? `The model ${quote(name)} is of kind ${model.kind}; this endpoint serves ${kind} models.`
        : `The model ${quote(name)} does not exist.`,
      { param: 'model' },
    );
  }
  if (caller.allowedModels && !caller.allowedModels.has(model.slug)) {
    throw new GatewayError('model_not_allowed', `This API key may not use the model ${quote(name)}.`, {
      param: 'model',
    });
  }
  return model;
}

/** Clients hard-code names; a key may have a model of its own for them, of the kind that is asked for. */
function findDefault({ models }: Catalog, { defaultModel }: CallerToken, kind: ModelKind): Model | undefined {
  const model = defaultModel === undefined ? undefined : models.get(defaultModel);
  return model?.kind === kind ? model : undefined;
}

/** A name that came from outside, safe to show: one line, bounded, no control characters. */
function quote(slug: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  return `"${slug.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029"]/g, '?').slice(0, 128)}"`;
}
