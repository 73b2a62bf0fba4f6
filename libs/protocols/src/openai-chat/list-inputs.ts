import { limitAnswer } from '../canonical/limit-items.js';
import { readObject, readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import { countChatItems } from './count-items.js';

/** The arguments of the calls of an answer, or of a chunk of one, where a look-alike has objects in the place of JSON text. @throws GatewayError `upstream_error` */
export function listChatAnswerInputs(answer: JsonObject): readonly JsonObject[] {
  limitAnswer(countChatItems(answer));
  return readObjects(answer.choices).flatMap(({ message, delta }) => {
    const { tool_calls, function_call } = readObject(message ?? delta) ?? {};
    const called = [...readObjects(tool_calls).map((call) => call.function), function_call];
    return readObjects(readObjects(called).map((call) => call.arguments));
  });
}
