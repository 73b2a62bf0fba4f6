import { limitAnswer } from '../canonical/limit-items.js';
import { readObject, readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import { countConverseItems } from './count-items.js';

/** The arguments of the calls of an answer. @throws GatewayError `upstream_error` where it holds more than is converted. */
export function listConverseInputs(answer: JsonObject): readonly object[] {
  limitAnswer(countConverseItems(answer));
  const message = readObject(readObject(answer.output)?.message);
  return readObjects(message?.content).flatMap(({ toolUse }) => readObjects([readObject(toolUse)?.input]));
}
