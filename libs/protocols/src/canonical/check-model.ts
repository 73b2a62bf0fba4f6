import type { JsonObject } from '../json.js';
import { refuseField } from './refuse.js';

/** Longest name of a model, in characters. */
const MAX_LENGTH = 256;

/** Reads the name of the model. @throws GatewayError when it is none, or holds what cannot be stored. */
export function checkModel({ model }: JsonObject): string {
  if (typeof model !== 'string' || model === '') return refuseField('model', 'must be a non-empty string');
  return checkModelName(model);
}

/** Checks a name of a model, wherever it stood. @throws GatewayError */
export function checkModelName(model: string): string {
  if (model.length > MAX_LENGTH) refuseField('model', `must have at most ${MAX_LENGTH} characters`);
  if (model.includes('\0') || !model.isWellFormed()) {
    refuseField('model', 'must not hold NUL or half a surrogate pair');
  }
  return model;
}
