import { modelName } from '../schema/fields.js';
import { validate } from '../schema/validate.js';

/** Checks the name of a model that stood outside the body, such as in the path. @throws GatewayError */
export function checkModelName(model: string): string {
  return validate(modelName, model, 'model');
}
